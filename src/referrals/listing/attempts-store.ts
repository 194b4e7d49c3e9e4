import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import type { AttemptOutcome, DeliverySummary } from '../model/deliveries.ts';

/** One attempt to tell somebody of a referral, without the technical words that operators see. */
export type DeliveryAttempt = Pick<DeliverySummary, 'leg' | 'purpose' | 'practice'> & {
  at: Date;
  channel: string;
  outcome: AttemptOutcome;
};

/** Oldest first. */
export async function listAttempts(db: Db, referralId: string, limit: number): Promise<DeliveryAttempt[]> {
  const { rows } = await sql<DeliveryAttempt>`
    select a.at, a.channel, a.outcome, d.leg, d.purpose,
      case when d.leg = 'gp_practice' then d.receiver_name end as practice
    from deliveries d join delivery_attempts a on a.delivery_id = d.id
    where d.referral_id = ${referralId} order by a.at, d.id, a.number limit ${limit}`.execute(db);
  return rows;
}
