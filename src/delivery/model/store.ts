import { sql } from 'kysely';
import type { Db, Trx } from '../../platform/database/index.ts';
import type { DeliveryStatus, DeliverySummary } from '../../referrals/index.ts';
import type { AttemptOutcome, Delivery, PlannedDelivery } from './delivery.ts';

export type NewDelivery = PlannedDelivery & {
  id: string;
  referralId: string;
  referralVersion: number;
  simulated: boolean;
  /** Null when nothing is sent. */
  messageId: string | null;
  at: Date;
};

/** In one statement, because submitting a referral waits for it. */
export async function insertDeliveries(trx: Trx, deliveries: readonly NewDelivery[]): Promise<void> {
  await sql`
    insert into deliveries (id, referral_id, referral_version, leg, purpose, recipient_name, recipient_code, status,
      detail, simulated, message_id, created_at, updated_at)
    select "id", "referralId", "referralVersion", "receiverKind", "purpose", "recipientName", "recipientCode",
      case when "messageId" is null then 'suppressed' else 'queued' end, "suppressedBecause", "simulated", "messageId",
      "at", "at"
    from jsonb_to_recordset(${JSON.stringify(deliveries)}::jsonb) as d("id" uuid, "referralId" uuid,
      "referralVersion" integer, "receiverKind" text, "purpose" text, "recipientName" text, "recipientCode" text,
      "suppressedBecause" text, "simulated" boolean, "messageId" uuid, "at" timestamptz)`.execute(trx);
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

/** Their attempts, worklist rows and captured messages are deleted with them. */
export async function deleteDeliveries(trx: Trx, referralId: string): Promise<void> {
  await trx.deleteFrom('deliveries').where('referral_id', '=', referralId).execute();
}

/** Oldest first; the service before the GP practice. */
const oldestFirst = sql`referral_version, leg desc`;

export async function listSummaries(
  db: Db,
  referralIds: readonly string[],
): Promise<Map<string, DeliverySummary[]>> {
  if (referralIds.length === 0) return new Map();
  const { rows } = await sql<DeliverySummary & { referralId: string }>`
    select id, leg, purpose, channel, status, updated_at, referral_id as "referralId" from deliveries
    where referral_id = any(${referralIds}::uuid[]) order by ${oldestFirst}`.execute(db);
  const summaries = new Map<string, DeliverySummary[]>();
  for (const { referralId, ...summary } of rows) {
    const known = summaries.get(referralId);
    if (known) known.push(summary);
    else summaries.set(referralId, [summary]);
  }
  return summaries;
}

export type ListedDelivery = DeliverySummary & {
  detail: string | null;
  simulated: boolean;
  created_at: Date;
  attempts: { at: string; outcome: AttemptOutcome; detail: string }[];
};

export async function listDeliveriesOf(db: Db, referralId: string): Promise<ListedDelivery[]> {
  const { rows } = await sql<ListedDelivery>`
    select id, leg, purpose, channel, status, detail, simulated, created_at, updated_at,
      (select coalesce(jsonb_agg(jsonb_build_object('at', at, 'outcome', outcome, 'detail', detail) order by number), '[]')
        from delivery_attempts where delivery_id = d.id) as attempts
    from deliveries d where referral_id = ${referralId} order by ${oldestFirst}`.execute(db);
  return rows;
}

const columns = sql`
  d.id, d.referral_id as "referralId", d.leg as "receiverKind", d.purpose, d.recipient_name as "recipientName",
  d.recipient_code as "recipientCode", d.status, d.simulated, d.message_id as "messageId",
  d.external_id as "externalId", d.channel, d.chosen_channel as "chosenChannel",
  d.attempts_started as "attemptsStarted", d.created_at as "createdAt"`;

/** Those of these deliveries that were never tried, locked until the transaction ends. */
export async function lockNewDeliveries(trx: Trx, ids: readonly string[]): Promise<Delivery[]> {
  const { rows } = await sql<Delivery>`
    select ${columns}, '{}'::text[] as "refusedBy", null as "lastRefusal" from deliveries d
    where id = any(${ids}::uuid[]) and status = 'queued' and attempts_started = 0 and message_id is not null
    order by id for update`.execute(trx);
  return rows;
}

/** A delivery with a message. One that was suppressed from the start has none, and is not found. */
export async function findDelivery(db: Db, id: string): Promise<Delivery | undefined> {
  const { rows } = await sql<Delivery>`
    select ${columns}, refusals.channels as "refusedBy", refusals.last as "lastRefusal"
    from deliveries d cross join lateral (
      select coalesce(array_agg(channel), '{}') as channels, (array_agg(detail order by number desc))[1] as last
      from delivery_attempts
      where delivery_id = d.id and number > d.attempts_before_restart and outcome = 'failed') as refusals
    where d.id = ${id} and d.message_id is not null`.execute(db);
  return rows[0];
}

/**
 * The number of deliveries in each status. `paused` are those that would be queued but wait on purpose: they are held, or
 * their referral is restricted. It counts every row: a million take a tenth of a second.
 */
export async function countDeliveries(
  db: Db,
): Promise<{ status: DeliveryStatus | 'paused'; count: number }[]> {
  const { rows } = await sql<{ status: DeliveryStatus | 'paused'; count: number }>`
    select case when d.status = 'queued' and (d.held_by is not null or restricted.id is not null)
        then 'paused' else d.status end as status,
      count(*)::int as count
    from deliveries d
    left join (select id from referrals where restricted_at is not null) restricted on restricted.id = d.referral_id
    group by 1 order by 1`.execute(db);
  return rows;
}
