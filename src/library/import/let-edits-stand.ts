import type { Db } from '../../platform/database/index.ts';
import { findEdits } from '../editing/store.ts';
import type { ImportReport } from './import-report.ts';
import type { ServiceRow } from './service-row.ts';

/**
 * The batch without what somebody edited here after its source last changed it: what they wrote is newer, and they took
 * the trouble. A record that does not say when it changed cannot claim to be newer.
 */
export async function letEditsStand<Incoming extends { row: ServiceRow; dated: boolean }>(
  db: Db,
  batch: readonly Incoming[],
  report: ImportReport,
): Promise<readonly Incoming[]> {
  const edits = await findEdits(
    db,
    batch.map(({ row }) => row.id),
  );
  if (edits.size === 0) return batch;
  return batch.filter(({ row, dated }) => {
    const editedAt = edits.get(row.id);
    const isNewer = editedAt === undefined || (dated && row.lastModified > editedAt);
    if (!isNewer) report.keptEdits.add(row.id);
    return isNewer;
  });
}
