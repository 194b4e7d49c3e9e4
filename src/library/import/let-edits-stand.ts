import type { Db } from '../../platform/database/index.ts';
import { findEdits } from '../editing/store.ts';
import type { ImportRun, Incoming } from './import-run.ts';

/** Clocks differ, and some sources know only days. What is dated later than that has not happened. */
const graceMs = 24 * 60 * 60_000;

/**
 * The batch without what somebody edited here after its source last changed it: what they wrote is newer, and they took
 * the trouble. A record that does not say when it changed cannot claim to be newer, nor can one from the future.
 */
export async function letEditsStand(
  db: Db,
  { author, report }: Pick<ImportRun, 'author' | 'report'>,
  batch: readonly Incoming[],
): Promise<readonly Incoming[]> {
  const edits = await findEdits(
    db,
    batch.map(({ row }) => row.id),
  );
  if (edits.size === 0) return batch;
  const latestMs = author.at.getTime() + graceMs;
  return batch.filter(({ row, dated }) => {
    const editedAt = edits.get(row.id);
    const saysWhen = dated && row.lastModified.getTime() <= latestMs;
    const isNewer = editedAt === undefined || (saysWhen && row.lastModified > editedAt);
    if (!isNewer) report.keptEdits.add(row.id);
    return isNewer;
  });
}
