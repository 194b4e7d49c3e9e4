import { sql } from 'kysely';
import type { Db, Trx } from '../../platform/database/index.ts';
import type { DeliveryStatus } from '../../referrals/index.ts';
import type { HeldBy } from '../model/held-by.ts';

/**
 * Holds a delivery that is not being sent now.
 * @returns its status; undefined when it ended meanwhile.
 */
export async function setHold(
  trx: Trx,
  id: string,
  { by, reason, at }: { by: HeldBy; reason: string; at: Date },
): Promise<DeliveryStatus | undefined> {
  const { rows } = await sql<{ status: DeliveryStatus }>`
    update deliveries set held_by = ${by}, detail = ${reason}, updated_at = ${at}
    where id = ${id} and status in ('queued', 'uncertain') returning status`.execute(trx);
  return rows[0]?.status;
}

/** Up to 1000 letters that `by` holds, about referrals that were ended by link before this time; the rest follow a minute later. */
export async function lockEndingLettersToSend(trx: Trx, by: HeldBy, endedBefore: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select d.id from deliveries d
    where held_by = ${by} and (
      select max(ended_at) from answer_links l where l.referral_id = d.referral_id) <= ${endedBefore}
    order by d.id limit 1000 for update skip locked`.execute(trx);
  return rows.map(({ id }) => id);
}

/** The deliveries of a referral that `by` holds. */
export async function lockHeldOf(trx: Trx, referralId: string, by: HeldBy): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from deliveries where referral_id = ${referralId} and held_by = ${by} order by id for update`.execute(
    trx,
  );
  return rows.map(({ id }) => id);
}

/** Takes these deliveries out of any hold, and sends nothing. */
export async function clearHolds(trx: Trx, ids: readonly string[], at: Date): Promise<void> {
  await sql`
    update deliveries set held_by = null, detail = null, updated_at = ${at} where id = any(${ids}::uuid[])`.execute(
    trx,
  );
}

/** Takes up to 1000 deliveries out of a hold, and sends nothing. @returns their ids; the rest follow a minute later. */
export async function clearHoldsBy(trx: Trx, by: HeldBy, at: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update deliveries set held_by = null, updated_at = ${at}
    where id in (select id from deliveries where held_by = ${by} order by id limit 1000 for update skip locked)
    returning id`.execute(trx);
  return rows.map(({ id }) => id);
}

/** Takes deliveries off the worklist that were there only because they were held. */
export async function resolveHeldRows(trx: Trx, deliveryIds: readonly string[], at: Date): Promise<void> {
  await sql`
    update worklist set closed_at = ${at}, closed_as = 'resolved'
    where delivery_id = any(${deliveryIds}::uuid[]) and kind = 'held' and closed_at is null`.execute(trx);
}

/**
 * The delivery whose last attempt is the oldest, so that each gets its turn if one of them is refused for its own
 * content. One whose referral is restricted is not sent, so trying it would tell nothing.
 */
export async function findNextHeld(db: Db, by: HeldBy): Promise<string | undefined> {
  const delivery = await db
    .selectFrom('deliveries as d')
    .innerJoin('referrals as r', 'r.id', 'd.referral_id')
    .select('d.id')
    .where('held_by', '=', by)
    .where('r.restricted_at', 'is', null)
    .orderBy('d.updated_at')
    .orderBy('d.id')
    .limit(1)
    .executeTakeFirst();
  return delivery?.id;
}

/** The number of held deliveries, for each cause. */
export function countHeld(db: Db): Promise<{ heldBy: HeldBy; count: number }[]> {
  return db
    .selectFrom('deliveries')
    .select(({ fn }) => ['held_by as heldBy', fn.countAll<number>().as('count')])
    .where('held_by', 'is not', null)
    .$narrowType<{ heldBy: HeldBy }>()
    .groupBy('held_by')
    .orderBy('held_by')
    .execute();
}

/** Holds a delivery whose attempt showed that the connection does not accept this site. @returns whether the delivery is now held. */
export async function recordHeldAttempt(
  trx: Trx,
  held: {
    deliveryId: string;
    number: number;
    channel: string;
    by: HeldBy;
    detail: string;
    wasUncertain: boolean;
    /** Only the first attempt of a hold gets a row; retries, every five minutes, do not. */
    isFirst: boolean;
    at: Date;
  },
): Promise<boolean> {
  const { deliveryId, number, channel, by, detail, wasUncertain, isFirst, at } = held;
  const { rows } = await sql`
    with attempt as (
      insert into delivery_attempts (delivery_id, number, at, channel, outcome, detail)
      select ${deliveryId}, ${number}, ${at}, ${channel}, 'will-retry', ${detail} where ${isFirst}
      on conflict do nothing)
    update deliveries set status = ${wasUncertain ? 'uncertain' : 'queued'}, held_by = ${by}, detail = ${detail},
      updated_at = ${at}
    where id = ${deliveryId} and status = 'sending' and attempts_started = ${number} returning 1`.execute(
    trx,
  );
  return rows.length === 1;
}
