import { sql } from 'kysely';
import type { Db, Trx } from '../../platform/database/index.ts';
import {
  alwaysOpen,
  countedForMs,
  type Gate,
  type PerGate,
  type Throttle,
  trustedForMs,
} from './throttle-rules.ts';

type Keys = PerGate<Buffer>;
type Throttles = Partial<Record<Gate, Throttle>>;

const columnsSql = sql`key, since, attempts, blocked_until as "blockedUntil", trusted_until as "trustedUntil"`;

export async function findThrottles(db: Db, keys: Keys): Promise<Throttles> {
  const { rows } = await sql<Throttle>`
    select ${columnsSql} from throttles where key = any(${Object.values(keys)}::bytea[])`.execute(db);
  return byGate(keys, rows);
}

/** Of these throttles, those that accept no attempt now. */
export async function listClosedThrottles(
  db: Db,
  keys: readonly Buffer[],
  now: Date,
): Promise<Pick<Throttle, 'key' | 'blockedUntil'>[]> {
  const { rows } = await sql<Pick<Throttle, 'key' | 'blockedUntil'>>`
    select key, blocked_until as "blockedUntil" from throttles
    where key = any(${[...keys]}::bytea[]) and blocked_until > ${now}`.execute(db);
  return rows;
}

/**
 * Finds or makes the throttles, and locks them until the transaction ends. They are always locked in the order of their
 * keys, so that no two transactions wait for each other.
 */
export async function lockThrottles(trx: Trx, keys: Keys, now: Date): Promise<Throttles> {
  const { rows } = await sql<Throttle>`
    insert into throttles (key, since, attempts, blocked_until)
    select key, ${now}, 0, ${alwaysOpen} from unnest(${Object.values(keys)}::bytea[]) as key order by key
    on conflict (key) do update set key = excluded.key returning ${columnsSql}`.execute(trx);
  return byGate(keys, rows);
}

export async function updateThrottles(trx: Trx, throttles: readonly Throttle[]): Promise<void> {
  const column = <Name extends keyof Throttle>(name: Name) => throttles.map((each) => each[name]);
  await sql`
    update throttles t set since = n.since, attempts = n.attempts, blocked_until = n.blocked_until
    from unnest(${column('key')}::bytea[], ${column('since')}::timestamptz[], ${column('attempts')}::int[],
      ${column('blockedUntil')}::timestamptz[]) as n (key, since, attempts, blocked_until)
    where t.key = n.key`.execute(trx);
}

/** Takes the attempt back from every count, and resets the count of this account from this network. */
export async function clearFailedAttempts(trx: Trx, keys: Keys, now: Date): Promise<void> {
  const trustedUntil = new Date(now.getTime() + trustedForMs);
  await sql`
    with held as (
      select key from throttles where key = any(${Object.values(keys)}::bytea[]) order by key for update)
    update throttles t set
      attempts = case when t.key = ${keys.accountAndNetwork} then 0 else greatest(t.attempts - 1, 0) end,
      blocked_until = case when t.key = ${keys.accountAndNetwork} then ${alwaysOpen} else t.blocked_until end,
      trusted_until = case when t.key = ${keys.accountAndNetwork} then ${trustedUntil} else t.trusted_until end
    from held where t.key = held.key`.execute(trx);
}

export async function upsertTrustedNetwork(trx: Trx, key: Buffer, now: Date): Promise<void> {
  const trustedUntil = new Date(now.getTime() + trustedForMs);
  await sql`
    insert into throttles (key, since, attempts, blocked_until, trusted_until)
    values (${key}, ${now}, 0, ${alwaysOpen}, ${trustedUntil})
    on conflict (key) do update set
      attempts = 0, blocked_until = excluded.blocked_until, trusted_until = excluded.trusted_until`.execute(
    trx,
  );
}

export async function deleteOldThrottles(db: Db, now: Date): Promise<void> {
  await sql`
    delete from throttles
    where since < ${new Date(now.getTime() - countedForMs)} and blocked_until <= ${now}
      and (trusted_until is null or trusted_until <= ${now})`.execute(db);
}

function byGate(keys: Keys, rows: readonly Throttle[]): Throttles {
  const entries = Object.entries(keys).map(
    ([gate, key]) => [gate, rows.find((each) => each.key.equals(key))] as const,
  );
  return Object.fromEntries(entries.filter(([, throttle]) => throttle));
}
