import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '../../../platform/database/index.ts';
import { erasedTables } from './erasure-store.ts';

/** Every table in which an erasure deletes or empties rows. */
const tables = [
  'referrals',
  'referral_history',
  ...erasedTables,
  'report_facts',
  'record_copies',
  'record_copy_referrals',
  'record_copy_marks',
  'idempotency_keys',
  'deliveries',
  'delivery_attempts',
  'worklist',
  'self_referrals',
  'captured_messages',
  'captured_files',
  'mesh_messages',
  'mails',
  'answer_link_visits',
];

export type ReferralTable = { name: string; bytes: number; mayVacuum: boolean };

export async function listReferralTables(db: Db): Promise<ReferralTable[]> {
  const { rows } = await sql<ReferralTable>`
    select c.relname as name, pg_total_relation_size(c.oid)::float8 as bytes,
      pg_has_role(c.relowner, 'USAGE') as "mayVacuum"
    from pg_class c where c.oid in (select to_regclass(name) from unnest(${tables}::text[]) as name)`.execute(
    db,
  );
  return rows;
}

const checkEveryMs = 100;

/**
 * Waits until every transaction that is reading now has ended. We cannot see whether other roles’ sessions, such
 * as PostgreSQL’s own ANALYZE, are reading, so we wait for these too, but only for `timeoutMs`.
 * @returns false when a transaction of the site goes on for longer.
 */
export async function waitForEarlierTransactions(db: Db, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  const { rows } = await sql<{ next: string }>`
    select pg_snapshot_xmax(pg_current_snapshot())::text as next`.execute(db);
  for (;;) {
    const { rows: others } = await sql<{ reads: boolean }>`
      select coalesce(age(backend_xmin) > age(${rows[0]!.next}::xid8::xid), false) as reads
      from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
        and (age(backend_xmin) > age(${rows[0]!.next}::xid8::xid)
          or usesysid is distinct from (select oid from pg_roles where rolname = current_user))`.execute(db);
    if (others.length === 0) return true;
    if (performance.now() > deadline) return !others.some(({ reads }) => reads);
    await delay(checkEveryMs);
  }
}

/**
 * Frees the space of erased rows, however long that takes. `rewrite` makes a new file without them. Not inside a transaction.
 */
export async function vacuumTables(
  db: Db,
  vacuumed: readonly { name: string; rewrite: boolean }[],
): Promise<void> {
  await db.connection().execute(async (connection) => {
    const { rows } = await sql<{ limit: string }>`
      select current_setting('statement_timeout') as limit`.execute(connection);
    // While we wait for a table's lock, everybody else waits behind us. The job is retried.
    await sql`
      select set_config('lock_timeout', '5s', false), set_config('statement_timeout', '0', false)`.execute(
      connection,
    );
    try {
      for (const { name, rewrite } of vacuumed)
        await sql`vacuum ${sql.raw(rewrite ? 'full' : '')} ${sql.table(name)}`.execute(connection);
    } finally {
      await sql`reset lock_timeout`.execute(connection);
      // The pool set this on the open connection, so a reset would take it away.
      await sql`select set_config('statement_timeout', ${rows[0]!.limit}, false)`.execute(connection);
    }
  });
}
