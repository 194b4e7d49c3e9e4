import type { Db, Trx } from '../../platform/database/index.ts';

/** Referrals sent before a time that are still unanswered, oldest first. */
export async function listUnanswered(
  db: Db,
  sentBefore: Date,
  { without, limit }: { without: readonly string[]; limit: number },
): Promise<string[]> {
  const referrals = await db
    .selectFrom('referrals')
    .select('id')
    .where('status', '=', 'requested')
    .where('restricted_at', 'is', null)
    .where('requested_at', '<', sentBefore)
    .$if(without.length > 0, (query) => query.where('id', 'not in', without))
    .orderBy('requested_at')
    .limit(limit)
    .execute();
  return referrals.map(({ id }) => id);
}

/** The library's organisations that were sent a referral before a time, and were not reminded of it yet. */
export async function listUnremindedOrganizations(db: Db, sentBefore: Date): Promise<string[]> {
  const organizations = await db
    .selectFrom('referrals')
    .select('service_organization_id as id')
    .distinct()
    .where('status', '=', 'requested')
    .where('restricted_at', 'is', null)
    .where('requested_at', '<', sentBefore)
    .where('reminded_at', 'is', null)
    .where('service_organization_id', 'is not', null)
    .$narrowType<{ id: string }>()
    .execute();
  return organizations.map(({ id }) => id);
}

/** All unanswered referrals sent before a time, or only one. */
export type UnansweredReferrals = { sentBefore: Date } | { only: string };

/** Marks the unanswered referrals to an organisation as reminded. @returns those that were not before. */
export function markReminded(
  trx: Trx,
  libraryOrganizationId: string,
  unanswered: UnansweredReferrals,
  at: Date,
): Promise<{ id: string; reference: string }[]> {
  return trx
    .updateTable('referrals')
    .set({ reminded_at: at })
    .where('status', '=', 'requested')
    .where('restricted_at', 'is', null)
    .where('reminded_at', 'is', null)
    .where('service_organization_id', '=', libraryOrganizationId)
    .where((eb) =>
      'only' in unanswered ? eb('id', '=', unanswered.only) : eb('requested_at', '<', unanswered.sentBefore),
    )
    .returning(['id', 'reference'])
    .execute();
}
