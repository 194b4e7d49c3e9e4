import { type DueWork, workOnEach } from '../../platform/jobs/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { type DueOrganization, maxMarked } from './overdue-store.ts';

/** Works on what is due at each organisation, a batch a transaction. @returns the organisations that failed */
export async function workOnOrganizations<Id extends string | null>(
  deps: Pick<Platform, 'db' | 'log'>,
  organizations: readonly DueOrganization<Id>[],
  { work, failure }: Pick<DueWork<Id>, 'work' | 'failure'>,
): Promise<Id[]> {
  const failed: Id[] = [];
  for (const batch of groupIntoBatches(organizations, maxMarked))
    failed.push(...(await workOnEach(deps, batch, { work, batchSize: batch.length, failure })));
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
