import { sql } from 'kysely';
import type { Trx } from './connect.ts';

/**
 * Each kind of name has its own seed of the hash, so that names of two kinds never share a lock. No number may change: if a
 * process of an earlier version were left running, both would do what only one may do.
 */
export const lockSeeds = {
  worker: 0,
  idempotencyKey: 1,
  task: 2,
  patientAtService: 3,
  nhsNumber: 4,
  death: 5,
  childDecision: 6,
} as const;

export type LockKind = keyof typeof lockSeeds;

/**
 * Takes the lock of each name until the transaction ends. One transaction at a time can hold it, in all processes. Locks are taken in
 * the order of their names, so two transactions that each take several of a kind in one call never deadlock.
 */
export async function holdLocks(trx: Trx, kind: LockKind, names: readonly string[]): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(hashtextextended(name, ${lockSeeds[kind]}))
    from unnest(${names.toSorted()}::text[]) as name`.execute(trx);
}

/** Takes the locks shared: they conflict only with `holdLocks`, not with each other. */
export async function shareLocks(trx: Trx, kind: LockKind, names: readonly string[]): Promise<void> {
  await sql`
    select pg_advisory_xact_lock_shared(hashtextextended(name, ${lockSeeds[kind]}))
    from unnest(${names.toSorted()}::text[]) as name`.execute(trx);
}

/** Takes the lock of a task that one transaction at a time may do. */
export function holdTaskLock(trx: Trx, task: string): Promise<void> {
  return holdLocks(trx, 'task', [task]);
}
