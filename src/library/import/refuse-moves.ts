import type { ImportRun, Incoming } from './import-run.ts';
import { findAnswered, type Stored } from './stored-store.ts';

const pointer = '/organization_id';
const reason =
  'would give the service to another organisation, while people of the one that has it answer its referrals here: change it on its page, if that is right';

/**
 * The batch without services that it would take away from those who answer for them. Their referrals would be read by
 * whichever organisation a feed names, and no longer by those who wait for them.
 */
export async function refuseMoves(
  { db, report }: ImportRun,
  batch: readonly Incoming[],
  stored: ReadonlyMap<string, Stored>,
): Promise<Incoming[]> {
  const known = batch.map(({ said }) => said.id).filter((id) => stored.has(id));
  const answered = await findAnswered(db, known);
  return batch.filter(({ place, said }) => {
    const owner = answered.get(said.id);
    if (owner === undefined || owner === said.organizationId) return true;
    report.reject(place, said.id, { pointer, reason });
    return false;
  });
}
