import { type DueWork, handleEach } from '../../platform/jobs/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { type DueOrganization, maxMarked } from './overdue-store.ts';

/** Does the work that is due at each organisation, in batches, each in a transaction. @returns the organisations that failed */
export async function handleByOrganization<Id extends string | null>(
  deps: Pick<Platform, 'db' | 'log'>,
  organizations: readonly DueOrganization<Id>[],
  { handle, failure }: Pick<DueWork<Id>, 'handle' | 'failure'>,
): Promise<Id[]> {
  const failed: Id[] = [];
  for (const batch of groupIntoBatches(organizations, maxMarked))
    failed.push(...(await handleEach(deps, batch, { handle, batchSize: batch.length, failure })));
  return failed;
}

/**
 * Organisations stay together until they have `max` referrals, so that each gets one email and no transaction takes long. One that has
 * more than that has several batches to itself.
 */
export function groupIntoBatches<Id>(organizations: readonly DueOrganization<Id>[], max: number): Id[][] {
  const batches: Id[][] = [];
  let left = 0;
  for (const { id, count } of organizations) {
    if (count > max) {
      batches.push(...Array.from({ length: Math.ceil(count / max) }, () => [id]));
      left = 0;
    } else if (count <= left) {
      batches.at(-1)!.push(id);
      left -= count;
    } else {
      batches.push([id]);
      left = max - count;
    }
  }
  return batches;
}
