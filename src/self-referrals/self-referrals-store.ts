import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from '../platform/database/index.ts';
import { dayMs } from '../platform/durations.ts';
import { type Call, type CloseReason, type OverdueSince, overdueSince, type SelfReferral } from './model.ts';

/** Whether somebody wrote words of a crisis and nobody has spoken to them yet. A call that they did not answer changes nothing. */
export const isCrisisNotSpokenToSql = sql<boolean>`(mentions_crisis and not calls @> '[{"reached": true}]')`;

const columnsSql = sql`
  id, service_id as "serviceId", received_at as "receivedAt", ring_by::text as "ringBy", details,
  mentions_crisis as "mentionsCrisis", state, taken_by_id as "takenById", calls, settled_at as "settledAt",
  close_reason as "closeReason", close_note as "closeNote", same_as_id as "sameAsId", referral_id as "referralId"`;

type NewSelfReferral = Pick<
  SelfReferral,
  'id' | 'serviceId' | 'receivedAt' | 'ringBy' | 'details' | 'mentionsCrisis'
>;

/** @returns false if the same form was stored before. */
export async function insertSelfReferral(trx: Trx, row: NewSelfReferral): Promise<boolean> {
  const { rows } = await sql`
    insert into self_referrals (id, service_id, received_at, ring_by, details, mentions_crisis, state)
    values (${row.id}, ${row.serviceId}, ${row.receivedAt}, ${row.ringBy}::date, ${JSON.stringify(row.details)}::jsonb,
      ${row.mentionsCrisis}, 'waiting')
    on conflict (id) do nothing returning id`.execute(trx);
  return rows.length > 0;
}

/** By when somebody rings, and whether the person wrote words of a crisis. Undefined if no form with this id was sent. */
export async function findReceipt(
  db: Db,
  id: string,
): Promise<Pick<SelfReferral, 'ringBy' | 'mentionsCrisis'> | undefined> {
  const { rows } = await sql<Pick<SelfReferral, 'ringBy' | 'mentionsCrisis'>>`
    select ring_by::text as "ringBy", mentions_crisis as "mentionsCrisis"
    from self_referrals where id = ${id}`.execute(db);
  return rows[0];
}

export async function lockSelfReferral(trx: Trx, id: string): Promise<SelfReferral | undefined> {
  const { rows } = await sql<SelfReferral>`
    select ${columnsSql} from self_referrals where id = ${id} for update`.execute(trx);
  return rows[0];
}

const digitsOfSql = (telephone: RawBuilder<string>) =>
  sql<string>`right(regexp_replace(${telephone}, '[^0-9]', '', 'g'), 9)`;

/**
 * Other self-referrals with the same telephone number or name: not settled, or settled since this one came. Those that were closed because
 * they came twice or were not genuine are left out, so that one always stays.
 */
export async function listOfSamePerson(
  db: Db,
  { id, receivedAt, details }: SelfReferral,
): Promise<SelfReferral[]> {
  const { rows } = await sql<SelfReferral>`
    select ${columnsSql} from self_referrals
    where id <> ${id} and (settled_at is null or settled_at > ${receivedAt})
      and (close_reason is null or close_reason not in ('sent-twice', 'not-genuine'))
      and (${digitsOfSql(sql`details->>'telephone'`)} = ${digitsOfSql(sql`${details.telephone}::text`)}
        or (lower(details->>'given_name') = lower(${details.given_name})
          and lower(details->>'family_name') = lower(${details.family_name})))
    order by received_at desc limit 20`.execute(db);
  return rows;
}

/** Marks a self-referral as telling of a crisis, because the copy of it that is being closed does. */
export async function markCrisis(trx: Trx, id: string): Promise<void> {
  await sql`update self_referrals set mentions_crisis = true where id = ${id}`.execute(trx);
}

/** A row of the list, which names nobody. */
export type QueueRow = Pick<
  SelfReferral,
  'id' | 'receivedAt' | 'ringBy' | 'mentionsCrisis' | 'state' | 'takenById'
> & {
  /** Null for a service that became sensitive since, or is gone. */
  service: string | null;
  takenBy: string | null;
  /** What they wrote has words of a crisis, and nobody has spoken to them. */
  isCrisisNotSpokenTo: boolean;
  /** They named the times at which it is safe to ring them. */
  isSafeOnlyAt: boolean;
  calls: number;
  isOverdue: boolean;
};

const lastCallAtSql = sql<Date | null>`(calls->-1->>'at')::timestamptz`;

/** Whether a self-referral that is not settled is overdue. The list and the emails of the watch both use this. */
const isOverdueSql = ({ today, calledBefore, crisisBefore }: OverdueSince) => sql<boolean>`
  (called_at is null and ring_by < ${today}::date
    or coalesce(${lastCallAtSql} < ${calledBefore}, false)
    or ${isCrisisNotSpokenToSql} and coalesce(${lastCallAtSql}, received_at) < ${crisisBefore})`;

/** The self-referrals that are not settled: words of a crisis first, then by the day on which to ring. */
export async function listUnsettledSelfReferrals(db: Db, now: Date): Promise<QueueRow[]> {
  const { rows } = await sql<QueueRow>`
    select q.id, q.received_at as "receivedAt", q.ring_by::text as "ringBy", q.mentions_crisis as "mentionsCrisis",
      q.state, q.taken_by_id as "takenById", case when r.sensitive then null else s.name end as service, a.name as "takenBy",
      jsonb_array_length(q.calls) as calls, ${isCrisisNotSpokenToSql} as "isCrisisNotSpokenTo",
      q.details ->> 'safe' = 'only_at' as "isSafeOnlyAt",
      ${isOverdueSql(overdueSince(now))} as "isOverdue"
    from self_referrals q left join services s on s.id = q.service_id
      left join service_referral_settings r on r.service_id = q.service_id left join accounts a on a.id = q.taken_by_id
    where q.settled_at is null
    order by ${isCrisisNotSpokenToSql} desc, q.ring_by, q.received_at`.execute(db);
  return rows;
}

/** How many self-referrals nobody has taken: those in the state `waiting`. */
export async function countWaitingSelfReferrals(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from self_referrals where state = 'waiting'`.execute(db);
  return rows[0]!.count;
}

/** @param accountId null to give it back */
export async function setTaker(trx: Trx, id: string, accountId: string | null): Promise<void> {
  await sql`
    update self_referrals set taken_by_id = ${accountId}, state = ${accountId === null ? 'waiting' : 'taken'}
    where id = ${id}`.execute(trx);
}

export async function addCall(trx: Trx, id: string, call: Call): Promise<void> {
  await sql`
    update self_referrals
    set calls = calls || ${JSON.stringify([call])}::jsonb, called_at = coalesce(called_at, ${call.at}::timestamptz),
      told_overdue_at = null
    where id = ${id}`.execute(trx);
}

export async function setDrafted(trx: Trx, id: string, referralId: string, at: Date): Promise<void> {
  await sql`
    update self_referrals set state = 'drafted', referral_id = ${referralId}, settled_at = ${at}
    where id = ${id}`.execute(trx);
}

export async function setClosed(
  trx: Trx,
  id: string,
  {
    reason,
    note,
    sameAsId,
    at,
  }: { reason: CloseReason; note: string | null; sameAsId: string | null; at: Date },
): Promise<void> {
  await sql`
    update self_referrals set state = 'closed', close_reason = ${reason}, close_note = ${note}, same_as_id = ${sameAsId}, settled_at = ${at}
    where id = ${id}`.execute(trx);
}

export async function deleteSelfReferral(trx: Trx, id: string): Promise<void> {
  await sql`delete from self_referrals where id = ${id}`.execute(trx);
}

/** Deletes the self-referral from which a referral was made, when that is erased. */
export async function deleteSelfReferralsOf(trx: Trx, referralId: string): Promise<void> {
  await sql`delete from self_referrals where referral_id = ${referralId}`.execute(trx);
}

/** The self-referrals from which a referral was made, and the calls to the person. */
export async function listSelfReferralsOf(
  db: Db,
  referralId: string,
): Promise<Pick<SelfReferral, 'receivedAt' | 'details' | 'calls'>[]> {
  const { rows } = await sql<Pick<SelfReferral, 'receivedAt' | 'details' | 'calls'>>`
    select received_at as "receivedAt", details, calls from self_referrals where referral_id = ${referralId}`.execute(
    db,
  );
  return rows;
}

/** Long enough to notice a mistake, and to answer a question about it. */
export const retentionDays = 30;

/** Deletes self-referrals that were settled `retentionDays` ago. What matters is in the draft that was made of them. */
export async function deleteOldSelfReferrals(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - retentionDays * dayMs);
  await sql`delete from self_referrals where settled_at <= ${before}`.execute(db);
}

/**
 * Marks the self-referrals that have become overdue, so that each is reported once until somebody calls again.
 * @returns how many it marked, and how many of these are of people in a crisis.
 */
export async function markOverdue(
  trx: Trx,
  since: OverdueSince,
  at: Date,
): Promise<{ count: number; inCrisis: number }> {
  const { rows } = await sql<{ isCrisis: boolean }>`
    update self_referrals set told_overdue_at = ${at}
    where settled_at is null and told_overdue_at is null and ${isOverdueSql(since)}
    returning ${isCrisisNotSpokenToSql} as "isCrisis"`.execute(trx);
  return { count: rows.length, inCrisis: rows.filter(({ isCrisis }) => isCrisis).length };
}
