import { sql } from 'kysely';
import type { Db } from '../../../platform/database/index.ts';
import type { DeliveryLeg, DeliveryPurpose, RefusalCause } from '../../../referrals/index.ts';
import type { HeldBy } from '../../model/held-by.ts';
import { isPressingReferralSql, type UndeliveredKind } from '../../model/undelivered-store.ts';

/** Why a failed message `d` of the row `w` did not arrive, so that a cause is put right once: what its receiver says of the person, or the reason. */
export const faultSql = sql<string | null>`case when w.kind = 'failed' then coalesce(d.refusal_cause,
  case when w.reason like '% It was tried % times.' then 'given-up' else w.reason end) end`;

/** The id of the service, or the ODS code of the practice, that the delivery `d` of the referral `r` goes to. */
const receiverIdSql = sql<
  string | null
>`case d.leg when 'service' then r.service_id else d.receiver_code end`;

/** The latest attempt of the delivery `d`, joined as `latest`. */
export const joinLatestAttemptSql = sql`left join lateral (select t.channel from delivery_attempts t
  where t.delivery_id = d.id and t.number > d.attempts_before_restart order by t.number desc limit 1) latest on true`;

/** The same for all messages with one cause. The row is `w`, its delivery `d`, its `latest` attempt and its referral `r`. */
export const causeKeySql = sql<string>`case
  when w.kind = 'no-practice' then jsonb_build_array(w.kind)
  when w.kind = 'held' and d.held_by is not null then jsonb_build_array(w.kind, d.held_by)
  else jsonb_build_array(w.kind, d.leg, ${receiverIdSql}, latest.channel, ${faultSql}) end`;

/** An open row of the worklist, with what its cause is told from. */
export type OpenRow = {
  id: string;
  referralId: string;
  reference: string;
  kind: UndeliveredKind;
  reason: string;
  escalated: boolean;
  openedAt: Date;
  leg: DeliveryLeg;
  purpose: DeliveryPurpose;
  receiverName: string | null;
  /** The id of the service, or the ODS code of the practice. */
  receiverId: string | null;
  /** The channel of the latest attempt; null when no channel could be used. */
  channel: string | null;
  /** Null unless it failed; `given-up` when the last of many attempts failed, each for a reason that may pass. */
  fault: RefusalCause | 'given-up' | (string & {}) | null;
  /** The same for all messages with one cause. */
  causeKey: string;
  heldBy: HeldBy | null;
  /** The referral is urgent or tells of a danger. */
  isPressing: boolean;
  /** When an operator asked the referrer for the GP practice. */
  practiceAskedAt: Date | null;
  /** When somebody of the referrer’s side said that they have dealt with it, and no practice is named all the same. */
  practiceSettledAt: Date | null;
  practiceSettledBy: string | null;
};

/** Open rows, those with a danger or an urgent referral first, then oldest first. */
export async function listOpenRows(db: Db, limit: number): Promise<OpenRow[]> {
  const { rows } = await sql<OpenRow>`
    select w.delivery_id as id, d.referral_id as "referralId", r.reference, w.kind, w.reason, w.escalated,
      w.opened_at as "openedAt", d.leg, d.purpose, d.receiver_name as "receiverName",
      ${receiverIdSql} as "receiverId", latest.channel, ${faultSql} as fault,
      ${causeKeySql}::text as "causeKey",
      d.held_by as "heldBy", ${isPressingReferralSql} as "isPressing", w.practice_asked_at as "practiceAskedAt",
      p.dismissed_at as "practiceSettledAt", p.dismissed_by_name as "practiceSettledBy"
    from worklist w join deliveries d on d.id = w.delivery_id join referrals r on r.id = d.referral_id
      ${joinLatestAttemptSql} left join referral_prompts p on p.referral_id = r.id and p.kind = 'practice-missing'
    where w.closed_at is null order by ${isPressingReferralSql} desc, w.opened_at, w.delivery_id limit ${limit}`.execute(
    db,
  );
  return rows;
}

export type OpenCounts = { all: number; mine: number; pressing: number };

/** How many rows are open, and how many of them have this owner, or are pressing. */
export async function countOpenRows(db: Db, ownerId: string): Promise<OpenCounts> {
  const { rows } = await sql<OpenCounts>`
    select count(*)::int as all, count(*) filter (where w.owner_id = ${ownerId})::int as mine,
      count(*) filter (where ${isPressingReferralSql})::int as pressing
    from worklist w join deliveries d on d.id = w.delivery_id join referrals r on r.id = d.referral_id
    where w.closed_at is null`.execute(db);
  return rows[0]!;
}
