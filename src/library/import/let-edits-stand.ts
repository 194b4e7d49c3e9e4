import type { ImportRun, Incoming } from './import-run.ts';

/** Clocks differ, and some sources know only days. What is dated later than that has not happened. */
const graceMs = 24 * 60 * 60_000;

/**
 * The batch without what somebody edited here after its source last changed it: what they wrote is newer, and they took
 * the trouble. A record that does not say when it changed cannot claim to be newer, nor can one from the future.
 * @param edits when somebody here had the last word on a service
 */
export function letEditsStand(
  edits: ReadonlyMap<string, Date>,
  { author, report }: Pick<ImportRun, 'author' | 'report'>,
  batch: readonly Incoming[],
): readonly Incoming[] {
  if (edits.size === 0) return batch;
  const latestMs = author.at.getTime() + graceMs;
  return batch.filter(({ said, dated }) => {
    const editedAt = edits.get(said.id);
    const saysWhen = dated && said.lastModified.getTime() <= latestMs;
    const isNewer = editedAt === undefined || (saysWhen && said.lastModified > editedAt);
    if (!isNewer) report.keptEdits.add(said.id);
    return isNewer;
  });
}
