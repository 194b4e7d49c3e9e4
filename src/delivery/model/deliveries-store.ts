import { sql } from 'kysely';
import { isSensitiveReferralSql } from '../../library/index.ts';
import type { Db, Trx } from '../../platform/database/index.ts';
import type {
  AttemptOutcome,
  DeliveryLeg,
  DeliveryPurpose,
  DeliveryStatus,
  DeliverySummary,
  LetterReceiver,
} from '../../referrals/index.ts';
import { mayHaveArrivedSql, practiceWasAskedToRemoveSql } from './arrival-store.ts';
import type { Delivery, PlannedDelivery } from './delivery.ts';
import { letterColumnsSql } from './letter-facts-store.ts';

export type NewDelivery = PlannedDelivery & {
  id: string;
  referralId: string;
  referralVersion: number;
  simulated: boolean;
  /** Null when nothing is sent. */
  messageId: string | null;
  /** The practice is not to show it online, because of what the referral says. A sensitive service is a reason of its own. */
  hidesOnline: boolean;
  at: Date;
};

/** In one statement, because submitting a referral waits for it. */
export async function insertDeliveries(trx: Trx, deliveries: readonly NewDelivery[]): Promise<void> {
  await sql`
    insert into deliveries (id, referral_id, referral_version, leg, purpose, receiver_name, receiver_code, status,
      detail, simulated, message_id, created_at, updated_at, hides_online)
    select "id", "referralId", "referralVersion", "leg", "purpose", "receiverName", "receiverCode",
      case when "messageId" is null then 'suppressed' else 'queued' end, "suppressedBecause", "simulated", "messageId",
      "at", "at", case when "leg" = 'gp_practice' then "hidesOnline" or exists (
        select from referrals r join service_referral_settings s on s.service_id = r.service_id
        where r.id = "referralId" and ${isSensitiveReferralSql(sql`r`, sql`s`)}) end
    from jsonb_to_recordset(${JSON.stringify(deliveries)}::jsonb) as d("id" uuid, "referralId" uuid,
      "referralVersion" integer, "leg" text, "purpose" text, "receiverName" text, "receiverCode" text,
      "suppressedBecause" text, "simulated" boolean, "messageId" uuid, "hidesOnline" boolean, "at" timestamptz)`.execute(
    trx,
  );
}

/**
 * Marks the service's delivery as acknowledged: it answered, so it has the referral.
 * @returns the ids of the deliveries that were not acknowledged before.
 */
export async function acknowledgeServiceDelivery(trx: Trx, referralId: string, at: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update deliveries set status = 'acknowledged', detail = null, follow_up_at = null, held_by = null,
      updated_at = ${at}
    where referral_id = ${referralId} and leg = 'service' and purpose = 'referral' and status not in ('acknowledged', 'suppressed')
    returning id`.execute(trx);
  return rows.map(({ id }) => id);
}

/** Whether the delivery `newer` took the place of `d`: both are of one purpose, to one receiver. */
const hasTakenItsPlaceSql = sql`
  newer.referral_id = d.referral_id and newer.leg = d.leg and newer.purpose = d.purpose
  and (newer.referral_version, newer.id) > (d.referral_version, d.id) and newer.message_id is not null`;

/** Oldest first; the service before the GP practice. */
const byVersionAndLegSql = sql`referral_version, leg desc, purpose, id`;

export type DeliveriesToSuppress = {
  leg: DeliveryLeg;
  purposes: readonly DeliveryPurpose[];
  /** Only to this receiver. */
  receiverCode?: string;
  reason: string;
  at: Date;
};

/**
 * Stops messages that wait, have failed, were never confirmed in time or may not have arrived: none of them is sent, or tried again. One that
 * is being sent at this moment goes on. The caller holds the lock of the referral, without which their rows would need an order.
 * @returns their ids
 */
export async function suppressDeliveries(
  trx: Trx,
  referralId: string,
  { leg, purposes, receiverCode, reason, at }: DeliveriesToSuppress,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update deliveries set status = 'suppressed', detail = ${reason}, held_by = null, follow_up_at = null,
      updated_at = ${at}
    where referral_id = ${referralId} and leg = ${leg} and purpose = any(${purposes}::text[])
      and (${receiverCode ?? null}::text is null or receiver_code = ${receiverCode ?? null})
      and status in ('queued', 'uncertain', 'failed', 'expired')
    returning id`.execute(trx);
  return rows.map(({ id }) => id);
}

/** Suppresses one delivery that waits for another attempt. @returns false when it ended meanwhile. */
export async function suppressDelivery(trx: Trx, id: string, reason: string, at: Date): Promise<boolean> {
  const { rows } = await sql`
    update deliveries set status = 'suppressed', detail = ${reason}, held_by = null, follow_up_at = null,
      updated_at = ${at}
    where id = ${id} and status in ('queued', 'uncertain') returning 1`.execute(trx);
  return rows.length === 1;
}

/** What waits to be sent about a referral, and nothing holds. */
export async function listQueuedDeliveryIds(trx: Trx, referralId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from deliveries
    where referral_id = ${referralId} and status = 'queued' and held_by is null and message_id is not null
    order by id`.execute(trx);
  return rows.map(({ id }) => id);
}

/** Whether the practice was asked at any time to remove the letter `d`. */
const wasEverAskedToRemoveSql = practiceWasAskedToRemoveSql(sql`d`, sql`true`);

export type PracticeLetters = { hasFirstLetter: boolean; hasOutcome: boolean };

/**
 * Whether this practice was sent a copy of the referral, and the letter at its end, or will be. A letter that it was asked to
 * remove since does not count, nor one from before `sinceVersion`.
 */
export async function findLettersToPractice(
  trx: Trx,
  referralId: string,
  { odsCode, sinceVersion }: { odsCode: string | undefined; sinceVersion: number },
): Promise<PracticeLetters> {
  const { rows } = await sql<PracticeLetters>`
    select coalesce(bool_or(purpose = 'referral'), false) as "hasFirstLetter",
      coalesce(bool_or(purpose = 'outcome'), false) as "hasOutcome"
    from deliveries d
    where referral_id = ${referralId} and leg = 'gp_practice' and status <> 'suppressed'
      and referral_version >= ${sinceVersion} and receiver_code = ${odsCode ?? null} and not ${wasEverAskedToRemoveSql}`.execute(
    trx,
  );
  return rows[0]!;
}

/** Whether the receiver of the delivery `d` has it, or may have, even if it was stopped after an attempt. */
const receiverMayHaveSql = sql`(d.status in ('sending', 'sent', 'received', 'acknowledged', 'uncertain', 'expired')
  or ${mayHaveArrivedSql(sql`d.id`)})`;

/** Whether the service has a letter about the referral, or may have, or somebody there has opened the referral. */
export async function serviceMayKnow(db: Db, referralId: string): Promise<boolean> {
  const { rows } = await sql`
    select from referrals r where r.id = ${referralId} and (r.seen_at is not null or exists (
      select from deliveries d where d.referral_id = r.id and d.leg = 'service' and d.purpose = 'referral'
        and ${receiverMayHaveSql}))`.execute(db);
  return rows.length === 1;
}

/** Whether this practice has a letter about the referral, or may have, and was not asked to remove it since. */
export async function practiceMayHaveLetter(trx: Trx, referralId: string, odsCode: string): Promise<boolean> {
  const { rows } = await sql`
    select from deliveries d
    where referral_id = ${referralId} and leg = 'gp_practice' and receiver_code = ${odsCode}
      and purpose <> 'removal' and ${receiverMayHaveSql}
      and not ${wasEverAskedToRemoveSql}
    limit 1`.execute(trx);
  return rows.length === 1;
}

/**
 * Whether the practice has, or may have, a letter older than this notice that no earlier notice asked it to remove, and no newer notice
 * was sent to it. A letter that was on its way when the notice became necessary may have failed since. A letter about the end is one to
 * remove as well, although the referral is now `entered-in-error`.
 */
export async function hasLetterToRemove(db: Db, noticeId: string): Promise<boolean> {
  const { rows } = await sql`
    select from deliveries notice join deliveries d using (referral_id, leg)
    where notice.id = ${noticeId} and d.receiver_code = notice.receiver_code
      and d.referral_version < notice.referral_version and d.purpose <> 'removal'
      and ${receiverMayHaveSql}
      and not ${practiceWasAskedToRemoveSql(sql`d`, sql`removal.referral_version < notice.referral_version`)}
      and not exists (
        select from deliveries newer where newer.referral_id = notice.referral_id and newer.leg = notice.leg
          and newer.purpose = notice.purpose and newer.referral_version > notice.referral_version
          and newer.receiver_code = notice.receiver_code and newer.message_id is not null)
    limit 1`.execute(db);
  return rows.length === 1;
}

/**
 * Who was told of a referral, or may have been: not what waits or was never sent. What has gone back to waiting, was stopped or failed
 * after an attempt counts as uncertain, because it may have arrived.
 */
export async function listLetterReceivers(db: Db, referralId: string): Promise<LetterReceiver[]> {
  const { rows } = await sql<LetterReceiver>`
    select leg, receiver_name as recipient, purpose,
      case when status in ('queued', 'suppressed', 'failed') then 'uncertain' else status end as status,
      coalesce(sent_at, updated_at) as at
    from deliveries d
    where referral_id = ${referralId} and ${receiverMayHaveSql}
    order by ${byVersionAndLegSql}`.execute(db);
  return rows;
}

/** Locks deliveries in the order of their ids, so that two operators who decide about the same ones wait for each other. */
export async function lockDeliveries(trx: Trx, ids: readonly string[]): Promise<void> {
  await sql`select from deliveries where id = any(${ids}::uuid[]) order by id for update`.execute(trx);
}

/**
 * Attempts, worklist rows and captured messages are deleted with their deliveries. The links to answer go, too, so that nobody opens an
 * erased referral by one, not even in a browser where it is open.
 */
export async function deleteDeliveriesAndLinks(trx: Trx, referralId: string): Promise<void> {
  await trx.deleteFrom('deliveries').where('referral_id', '=', referralId).execute();
  await trx.deleteFrom('answer_links').where('referral_id', '=', referralId).execute();
}

export async function listDeliverySummaries(
  db: Db,
  referralIds: readonly string[],
): Promise<Map<string, DeliverySummary[]>> {
  if (referralIds.length === 0) return new Map();
  const { rows } = await sql<DeliverySummary & { referralId: string }>`
    select id, leg, purpose, case when leg = 'gp_practice' then receiver_name end as practice,
      case when leg = 'gp_practice' then receiver_code end as practice_code, channel, status,
      referral_version, updated_at, status <> 'suppressed' or ${mayHaveArrivedSql(sql`d.id`)} as may_have_arrived,
      refusal_cause as refused_because, referral_id as "referralId"
    from deliveries d
    where referral_id = any(${referralIds}::uuid[]) order by ${byVersionAndLegSql}`.execute(db);
  const summaries = new Map<string, DeliverySummary[]>();
  for (const { referralId, ...summary } of rows) {
    const known = summaries.get(referralId);
    if (known) known.push(summary);
    else summaries.set(referralId, [summary]);
  }
  return summaries;
}

export type ListedDelivery = Omit<
  DeliverySummary,
  'practice' | 'practice_code' | 'referral_version' | 'may_have_arrived'
> & {
  detail: string | null;
  simulated: boolean;
  created_at: Date;
  attempts: { at: string; outcome: AttemptOutcome; detail: string }[];
  /** A newer letter about the same has taken its place. */
  superseded: boolean;
};

export async function listDeliveriesOf(db: Db, referralId: string): Promise<ListedDelivery[]> {
  const { rows } = await sql<ListedDelivery>`
    select id, leg, purpose, channel, status, detail, refusal_cause as refused_because, simulated, created_at, updated_at,
      (select coalesce(jsonb_agg(jsonb_build_object('at', at, 'outcome', outcome, 'detail', detail) order by number), '[]')
        from delivery_attempts where delivery_id = d.id) as attempts,
      exists (select from deliveries newer where ${hasTakenItsPlaceSql}) as superseded
    from deliveries d where referral_id = ${referralId} order by ${byVersionAndLegSql}`.execute(db);
  return rows;
}

const deliveryColumnsSql = sql`
  d.id, d.referral_id as "referralId", d.leg, d.purpose, d.receiver_name as "receiverName",
  d.receiver_code as "receiverCode", d.status, d.simulated, d.message_id as "messageId",
  d.external_id as "externalId", d.channel, d.chosen_channel as "chosenChannel",
  d.attempts_started as "attemptsStarted", d.created_at as "createdAt", d.held_by as "heldBy",
  ${letterColumnsSql}`;

/** The referrals of these deliveries. */
export async function listReferralIdsOf(db: Db, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ referralId: string }>`
    select distinct referral_id as "referralId" from deliveries where id = any(${ids}::uuid[])`.execute(db);
  return rows.map(({ referralId }) => referralId);
}

/** Which of the given deliveries were never tried, locked until the transaction ends. */
export async function lockUntriedDeliveries(trx: Trx, ids: readonly string[]): Promise<Delivery[]> {
  const { rows } = await sql<Delivery>`
    select ${deliveryColumnsSql}, '{}'::text[] as "givenUpBy", null as "lastFailure" from deliveries d
    where id = any(${ids}::uuid[]) and status = 'queued' and attempts_started = 0 and message_id is not null
      and held_by is null
    order by id for update`.execute(trx);
  return rows;
}

/** A delivery with a message. One that was suppressed from the start has none, and is not found. */
export async function findDelivery(db: Db, id: string): Promise<Delivery | undefined> {
  const { rows } = await sql<Delivery>`
    select ${deliveryColumnsSql}, failures.channels as "givenUpBy", failures.last as "lastFailure"
    from deliveries d cross join lateral (
      select coalesce(array_agg(channel), '{}') as channels, (array_agg(detail order by number desc))[1] as last
      from delivery_attempts
      where delivery_id = d.id and number > d.attempts_before_restart and outcome = 'failed') as failures
    where d.id = ${id} and d.message_id is not null`.execute(db);
  return rows[0];
}

/**
 * The number of deliveries in each status. `paused` are those that would be queued but wait on purpose: they are held,
 * their referral is restricted, or a death is reported on it. It counts every row: a million take a tenth of a second.
 */
export async function countDeliveries(
  db: Db,
): Promise<{ status: DeliveryStatus | 'paused'; count: number }[]> {
  const { rows } = await sql<{ status: DeliveryStatus | 'paused'; count: number }>`
    select case when d.status = 'queued' and (d.held_by is not null or restricted.id is not null)
        then 'paused' else d.status end as status,
      count(*)::int as count
    from deliveries d
    left join (select id from referrals where restricted_at is not null or death_reported_at is not null) restricted on restricted.id = d.referral_id
    group by 1 order by 1`.execute(db);
  return rows;
}
