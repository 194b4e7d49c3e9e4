import { anyOfValuesSql, type Db } from '../../platform/database/index.ts';

/** The operators who look after undelivered messages about these referrals, by the referral's id. */
export async function listWorklistOwners(
  db: Db,
  referralIds: readonly string[],
): Promise<(referralId: string) => string[]> {
  const rows = await db
    .selectFrom('worklist as w')
    .innerJoin('deliveries as d', 'd.id', 'w.delivery_id')
    .select(['d.referral_id as referralId', 'w.owner_id as ownerId'])
    .where('d.referral_id', '=', anyOfValuesSql(referralIds))
    .where('w.closed_at', 'is', null)
    .where('w.owner_id', 'is not', null)
    .execute();
  const owners = Map.groupBy(rows, ({ referralId }) => referralId);
  return (referralId) => (owners.get(referralId) ?? []).map(({ ownerId }) => ownerId!);
}
