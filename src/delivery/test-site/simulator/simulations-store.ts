import { sql } from 'kysely';
import type { Caller } from '../../../accounts/index.ts';
import type { Db, Trx } from '../../../platform/database/index.ts';
import { type DeliveryLeg, idsVisibleToSql, type Referral } from '../../../referrals/index.ts';
import { isAnswerStillNeededSql } from '../../follow-up/follow-up-store.ts';
import type { Act } from '../stories.ts';

export async function insertStory(trx: Trx, referralId: string, story: string): Promise<void> {
  await trx.insertInto('simulated_referrals').values({ referral_id: referralId, story }).execute();
}

export async function deleteStory(trx: Trx, referralId: string): Promise<void> {
  await trx.deleteFrom('simulated_referrals').where('referral_id', '=', referralId).execute();
}

export type NewStep = { act: Act; dueAt: Date; deliveryId?: string };

export async function insertSteps(trx: Trx, referralId: string, steps: readonly NewStep[]): Promise<void> {
  await sql`
    insert into simulated_steps (referral_id, delivery_id, act, due_at)
    select ${referralId}, s."deliveryId", s.act, s."dueAt"
    from jsonb_to_recordset(${JSON.stringify(steps)}::jsonb) as s(act jsonb, "dueAt" timestamptz, "deliveryId" uuid)`.execute(
    trx,
  );
}

/** The deliveries with a message that a change of a referral has just made necessary. */
export async function listDeliveriesOfChange(
  trx: Trx,
  { id, version }: Pick<Referral, 'id' | 'version'>,
): Promise<{ id: string; leg: DeliveryLeg }[]> {
  const { rows } = await sql<{ id: string; leg: DeliveryLeg }>`
    select id, leg from deliveries
    where referral_id = ${id} and referral_version = ${version} and message_id is not null order by id`.execute(
    trx,
  );
  return rows;
}

/**
 * A report about a message comes only after the message was sent. So does what the service does, because an answered referral is not
 * sent to it any more, and the outbox would lack the letter. A message that is held may never be sent, and is not waited for.
 */
const isReadySql = sql`not exists (
  select from deliveries d where d.status in ('queued', 'sending') and (d.id = s.delivery_id
    or s.delivery_id is null and d.referral_id = s.referral_id and d.leg = 'service' and d.purpose = 'referral'
      and d.held_by is null))`;

export type DueStep = { number: number; deliveryId: string | null; act: Act };

/** Locks a referral's story. @returns its first due step. */
export async function lockDueStep(trx: Trx, referralId: string, at: Date): Promise<DueStep | undefined> {
  await sql`select from simulated_referrals where referral_id = ${referralId} for no key update`.execute(trx);
  const { rows } = await sql<DueStep>`
    select s.number, s.delivery_id as "deliveryId", s.act from simulated_steps s
    where s.referral_id = ${referralId} and s.done_at is null and s.due_at <= ${at} and ${isReadySql}
    order by s.due_at, s.number limit 1`.execute(trx);
  return rows[0];
}

export async function endStep(
  trx: Trx,
  number: number,
  { at, notDoneBecause }: { at: Date; notDoneBecause: string | null },
): Promise<void> {
  await trx
    .updateTable('simulated_steps')
    .set({ done_at: at, undone_because: notDoneBecause })
    .where('number', '=', number)
    .execute();
}

/** By how much a referral's time was moved forward; undefined if it has no story. */
export async function findMovedMs(db: Db, referralId: string): Promise<number | undefined> {
  const { rows } = await sql<{ movedMs: number }>`
    select moved_ms::float8 as "movedMs" from simulated_referrals where referral_id = ${referralId}`.execute(
    db,
  );
  return rows[0]?.movedMs;
}

/**
 * Brings the future of a referral nearer by `ms`: the steps of its story, and the next check of each message, which counts from
 * the moment when the message was sent. Other past events keep their times.
 */
export async function bringNearer(trx: Trx, referralId: string, ms: number): Promise<void> {
  const span = sql`${ms}::float8 * interval '1 millisecond'`;
  await sql`
    with moved as (
      update simulated_referrals set moved_ms = moved_ms + ${ms} where referral_id = ${referralId} returning 1),
    steps as (
      update simulated_steps set due_at = due_at - ${span} where referral_id = ${referralId} and done_at is null
      returning 1)
    update deliveries set follow_up_at = follow_up_at - ${span}, sent_at = sent_at - ${span}
    where referral_id = ${referralId} and follow_up_at is not null`.execute(trx);
}

export type ListedStep = { act: Act; dueAt: Date; doneAt: Date | null; notDoneBecause: string | null };

export async function listSteps(db: Db, referralId: string): Promise<ListedStep[]> {
  const { rows } = await sql<ListedStep>`
    select act, due_at as "dueAt", done_at as "doneAt", undone_because as "notDoneBecause"
    from simulated_steps where referral_id = ${referralId} order by due_at, number`.execute(db);
  return rows;
}

/** The next check of each unanswered message of a referral. */
export async function listAwaited(db: Db, referralId: string): Promise<{ at: Date; leg: DeliveryLeg }[]> {
  const { rows } = await sql<{ at: Date; leg: DeliveryLeg }>`
    select d.follow_up_at as at, d.leg
    from deliveries d join referrals r on r.id = d.referral_id
    where d.referral_id = ${referralId} and d.status in ('sent', 'received') and d.follow_up_at is not null
      and ${isAnswerStillNeededSql}
    order by d.follow_up_at`.execute(db);
  return rows;
}

export type SimulatedReferral = { id: string; reference: string; story: string; movedMs: number };

/** The referrals with a story that a caller may see, newest first; or one of them. */
export async function listSimulated(
  db: Db,
  caller: Caller,
  page: { referralId?: string; beforeId?: string | undefined; limit: number },
): Promise<SimulatedReferral[]> {
  const only = page.referralId === undefined ? sql`` : sql`and s.referral_id = ${page.referralId}`;
  const before = page.beforeId === undefined ? sql`` : sql`and s.referral_id < ${page.beforeId}`;
  const { rows } = await sql<SimulatedReferral>`
    select s.referral_id as id, r.reference, s.story, s.moved_ms::float8 as "movedMs"
    from simulated_referrals s join referrals r on r.id = s.referral_id
    where s.referral_id in (${idsVisibleToSql(caller)}) ${only} ${before}
    order by s.referral_id desc limit ${page.limit}`.execute(db);
  return rows;
}

/** When the oldest step that is still due should have been played. */
export async function findOldestDueStep(db: Db, referralId: string, at: Date): Promise<Date | undefined> {
  const { rows } = await sql<{ dueAt: Date }>`
    select due_at as "dueAt" from simulated_steps
    where referral_id = ${referralId} and done_at is null and due_at <= ${at} order by due_at limit 1`.execute(
    db,
  );
  return rows[0]?.dueAt;
}
