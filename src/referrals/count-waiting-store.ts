import { sql } from 'kysely';
import type { Caller } from '../accounts/index.ts';
import type { Db } from '../platform/database/index.ts';
import { waysOfSeeing } from './access.ts';
import { newestIds } from './list-store.ts';
import { isTheirTurn, waitingStatuses } from './own-turn-store.ts';
import type { ReferralStatus } from './referral.ts';

/** How many referrals wait for a referrer and why, the newest `most` of them: by their state, or `message`. */
export async function countWaitingForReferrer(
  db: Db,
  caller: Caller,
  most: number,
): Promise<Map<ReferralStatus | 'message', number>> {
  const ways = { ...waysOfSeeing(caller), everything: false, receivedBy: null };
  const filter = { ways, statuses: waitingStatuses, waitsFor: caller.accountId, limit: most };
  const newest = newestIds(filter);
  if (!newest) return new Map();
  const { rows } = await sql<{ why: ReferralStatus | 'message'; count: number }>`
    with newest as materialized (${newest})
    select case when ${isTheirTurn} then status else 'message' end as why, count(*)::int as count
    from newest join referrals using (id) group by 1`.execute(db);
  return new Map(rows.map(({ why, count }) => [why, count]));
}
