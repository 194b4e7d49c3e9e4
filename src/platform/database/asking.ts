import { sql } from 'kysely';
import type { Db, Trx } from './connect.ts';

/** Waits until no other transaction, in any process, holds this name, and holds it until the transaction ends. */
export async function holdName(trx: Trx, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 2))`.execute(trx);
}

/** @throws when the database does not answer. */
export async function ping(db: Db): Promise<void> {
  await sql`select 1`.execute(db);
}
