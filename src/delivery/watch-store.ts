import { sql } from 'kysely';
import type { Trx } from '../platform/database/index.ts';

export type Silent = {
  id: string;
  referralId: string;
  recipientName: string;
  status: 'sent' | 'received';
  sentAt: Date;
  /** False where nobody waits for an answer any more: the referral that the service was sent was answered, or is over. */
  awaited: boolean;
};

/** For `d`, a delivery of the referral `r`. */
export const isAwaited = sql`(d.leg <> 'service' or d.purpose = 'outcome' or r.status = 'requested')`;

/** Deliveries whose receiver should have answered by now, locked; those that another process looks at are left to it. */
export async function takeSilent(trx: Trx, at: Date, limit: number): Promise<Silent[]> {
  const { rows } = await sql<Silent>`
    select d.id, d.referral_id as "referralId", d.recipient_name as "recipientName", d.status, d.sent_at as "sentAt",
      ${isAwaited} as awaited
    from deliveries d join referrals r on r.id = d.referral_id
    where d.look_again_at <= ${at} and d.status in ('sent', 'received')
    order by d.look_again_at limit ${limit} for update of d skip locked`.execute(trx);
  return rows;
}

/** Says when to look the next time, and that the message is given up if it is. */
export async function setLookAgain(
  trx: Trx,
  id: string,
  lookAgainAt: Date | null,
  givenUp?: { expired: string; at: Date },
): Promise<void> {
  const change = givenUp
    ? sql`, status = 'expired', detail = ${givenUp.expired}, updated_at = ${givenUp.at}`
    : sql``;
  await sql`update deliveries set look_again_at = ${lookAgainAt} ${change} where id = ${id}`.execute(trx);
}
