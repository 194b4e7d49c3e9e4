import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';

type SentToService = { id: string; createdAt: Date; confirmed: boolean };

/**
 * The messages about a referral that went to its service by email, oldest first. Somebody who has the link has the first one, even if it
 * has not been recorded as sent; a later one counts only if it has.
 */
export async function listSentToService(db: Db, referralId: string): Promise<SentToService[]> {
  const { rows } = await sql<SentToService & { isSent: boolean }>`
    select id, created_at as "createdAt", status = 'acknowledged' as confirmed,
      status in ('sent', 'received', 'acknowledged', 'uncertain', 'failed', 'expired') as "isSent"
    from deliveries
    where referral_id = ${referralId} and leg = 'service' and purpose = 'referral' and channel = 'email' and status <> 'suppressed'
    order by id`.execute(db);
  return rows
    .filter(({ isSent }, index) => isSent || index === 0)
    .map(({ isSent: _, ...delivery }) => delivery);
}
