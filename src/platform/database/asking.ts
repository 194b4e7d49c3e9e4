import { sql } from 'kysely';
import type { Db, Trx } from './connect.ts';

/** Waits until no other transaction, in any process, holds this name, and holds it until the transaction ends. */
export async function holdName(trx: Trx, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 2))`.execute(trx);
}

/**
 * Whether the database takes changes: a standby takes none, nor does one whose keeper shut it to them because its disk
 * was nearly full. @throws when it does not answer.
 */
export async function takesChanges(db: Db): Promise<boolean> {
  const { rows } = await sql<{ takes: boolean }>`
    select current_setting('transaction_read_only') = 'off' as takes`.execute(db);
  return rows[0]!.takes;
}
