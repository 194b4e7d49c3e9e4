import { sql } from 'kysely';
import type { Db, Trx } from '../../platform/database/index.ts';
import type { DeliveryStatus } from '../../referrals/index.ts';

/**
 * Lets a delivery wait until what holds it is gone. Nobody may be sending it now.
 * @returns its status; undefined where it ended meanwhile.
 */
export async function setHeld(
  trx: Trx,
  id: string,
  { by, reason, at }: { by: string; reason: string; at: Date },
): Promise<DeliveryStatus | undefined> {
  const { rows } = await sql<{ status: DeliveryStatus }>`
    update deliveries set held_by = ${by}, detail = ${reason}, updated_at = ${at}
    where id = ${id} and status in ('queued', 'uncertain') returning status`.execute(trx);
  return rows[0]?.status;
}

/** Releases deliveries that this held, some at a time. @returns their ids; the rest follow a minute later. */
export async function clearHeld(trx: Trx, by: string, at: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update deliveries set held_by = null, updated_at = ${at}
    where id in (select id from deliveries where held_by = ${by} order by id limit 1000 for update skip locked)
    returning id`.execute(trx);
  return rows.map(({ id }) => id);
}

/** Takes deliveries off the worklist that were only there because they were held. */
export async function resolveHeldRows(trx: Trx, deliveryIds: readonly string[], at: Date): Promise<void> {
  await sql`
    update worklist set closed_at = ${at}, closed_as = 'resolved'
    where delivery_id = any(${deliveryIds}::uuid[]) and kind = 'held' and closed_at is null`.execute(trx);
}

/** The delivery that was tried longest ago. Each gets its turn, in case one is refused for its own sake. */
export async function findNextHeld(db: Db, by: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from deliveries where held_by = ${by} order by updated_at, id limit 1`.execute(db);
  return rows[0]?.id;
}

/** How many deliveries wait, for each thing that holds them. */
export async function countHeld(db: Db): Promise<{ heldBy: string; count: number }[]> {
  const { rows } = await sql<{ heldBy: string; count: number }>`
    select held_by as "heldBy", count(*)::int as count from deliveries where held_by is not null
    group by held_by order by held_by`.execute(db);
  return rows;
}

/** Puts back a delivery whose attempt showed that this site is refused. @returns whether the attempt decided that. */
export async function recordHeldAttempt(
  trx: Trx,
  held: {
    deliveryId: string;
    number: number;
    channel: string;
    by: string;
    detail: string;
    mayHaveArrived: boolean;
    /** Every try of a message that is held would be a row, every five minutes. */
    isFirst: boolean;
    at: Date;
  },
): Promise<boolean> {
  const { deliveryId, number, channel, by, detail, mayHaveArrived, isFirst, at } = held;
  const { rows } = await sql`
    with attempt as (
      insert into delivery_attempts (delivery_id, number, at, channel, outcome, detail)
      select ${deliveryId}, ${number}, ${at}, ${channel}, 'will-retry', ${detail} where ${isFirst}
      on conflict do nothing)
    update deliveries set status = ${mayHaveArrived ? 'uncertain' : 'queued'}, held_by = ${by}, detail = ${detail},
      updated_at = ${at}
    where id = ${deliveryId} and status = 'sending' and attempts_started = ${number} returning 1`.execute(
    trx,
  );
  return rows.length === 1;
}
