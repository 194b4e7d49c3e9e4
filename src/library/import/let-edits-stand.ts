import type { ImportRun, Incoming } from './import-run.ts';
import { isYetToCome } from './yet-to-come.ts';

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
  return batch.filter(({ said, dated }) => {
    const editedAt = edits.get(said.id);
    const saysWhen = dated && !isYetToCome(said.lastModified, author.at);
    const isNewer = editedAt === undefined || (saysWhen && said.lastModified > editedAt);
    if (!isNewer) report.keptEdits.add(said.id);
    return isNewer;
  });
}
