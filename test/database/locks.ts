import { sql } from 'kysely';
import type pg from 'pg';
import type { Db, Trx } from '../../src/platform/database/index.ts';
import type { DB } from '../../src/platform/database/tables.ts';

/** How many wait for a lock in this database: the server's others are those of other test files. */
export async function waitingForLocks(db: Db): Promise<number> {
  const { rows } = await sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return rows.length;
}

/** Whether nobody has this name locked, as `lockName` does. The transaction holds it then. */
export async function isNameFree(trx: Trx, name: string): Promise<boolean> {
  const { rows } = await sql<{ free: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${name}, 2)) as free`.execute(trx);
  return rows[0]!.free;
}

/** Ends the connections that wait for a lock, as an operator of PostgreSQL does. @returns whether there were any. */
export async function endWaitingConnections(db: Db): Promise<boolean> {
  const { rows } = await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return rows.length > 0;
}

/** Locks a row until the transaction ends. */
export async function lockRow(
  trx: Trx,
  table: keyof DB & string,
  column: string,
  value: string,
): Promise<void> {
  await sql`select from ${sql.table(table)} where ${sql.ref(column)} = ${value} for update`.execute(trx);
}

/** From now on, a statement of the transaction fails if it waits longer than this for a lock. */
export async function waitAtMost(trx: Trx, milliseconds: number): Promise<void> {
  await sql`set local lock_timeout = ${sql.lit(milliseconds)}`.execute(trx);
}

/** Whether somebody has locked this row. */
export async function isRowLocked(db: Db, table: keyof DB, column: string, value: string): Promise<boolean> {
  const { rows } = await sql`
    select from ${sql.table(table)} where ${sql.ref(column)} = ${value} for no key update skip locked`.execute(
    db,
  );
  return rows.length === 0;
}

/** Keeps tables locked, as another program may: nobody reads them. @returns a function that releases them. */
export async function lockTables(pool: pg.Pool, ...tables: readonly string[]): Promise<() => Promise<void>> {
  const client = await pool.connect();
  await client.query(`begin; lock table ${tables.join(', ')} in access exclusive mode`);
  return async () => {
    await client.query('rollback');
    client.release();
  };
}

/** Reads a table as a backup does: it goes on seeing what it saw at first. @returns a function that ends the reading. */
export async function readSteadily(pool: pg.Pool, table: string): Promise<() => Promise<void>> {
  const reader = await pool.connect();
  await reader.query(`begin isolation level repeatable read; select from ${table} limit 1`);
  return async () => {
    await reader.query('commit');
    reader.release();
  };
}
