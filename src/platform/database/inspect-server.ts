import { sql } from 'kysely';
import type pg from 'pg';
import { StartupError } from '../process/startup-error.ts';
import type { Db } from './connect.ts';

const timeoutMs = 10_000;

/**
 * Checks that an outside database can serve a site.
 * @throws StartupError if it is read-only, does not wait for its disk, or a pooler in front of it gives each transaction another session.
 */
export async function requireUsableServer(pool: pg.Pool): Promise<void> {
  const first = await pool.connect();
  try {
    await requireOwnSession(first, pool);
    await requireWritable(first);
    await requireDurableCommits(first);
  } finally {
    first.release();
  }
}

/**
 * Onward listens, locks and prepares statements for as long as a connection lasts. PgBouncer in transaction mode lends
 * sessions for one transaction each: what one connection has just used, the next one then gets.
 */
async function requireOwnSession(first: pg.PoolClient, pool: pg.Pool): Promise<void> {
  const own = await sessionOf(first);
  const second = await pool.connect().catch((error: unknown) => {
    throw explainPoolerError(error) ?? error;
  });
  let isSessionShared: boolean;
  try {
    await second.query(withTimeout('begin'));
    const lent = await sessionOf(second);
    isSessionShared = lent === own || (await sessionOf(first)) !== own;
    await second.query('rollback');
  } catch (error) {
    throw explainPoolerError(error) ?? error;
  } finally {
    // Closes it, which also ends a transaction that is still open.
    second.release(true);
  }
  if (isSessionShared) throw needsSessionMode();
}

async function sessionOf(client: pg.PoolClient): Promise<number> {
  const { rows } = await client.query<{ pid: number }>(withTimeout('select pg_backend_pid() as pid'));
  return rows[0]!.pid;
}

const withTimeout = (text: string) => ({ text, query_timeout: timeoutMs }) as pg.QueryConfig;

/**
 * Why the pooler gave no second connection; undefined if the pooler is not the reason. A process has a pool of ten connections, one
 * that listens and one with its worker’s lock; while it starts, three that migrate.
 */
function explainPoolerError(error: unknown): StartupError | undefined {
  const { message = '' } = error as Error;
  if (/statement pooling mode/.test(message)) return needsSessionMode();
  if (!/timeout/i.test(message)) return undefined;
  return new StartupError(
    'ONWARD_DATABASE_URL: the database gives this site one connection and not a second. Each process of a site needs up to ' +
      '15. With PgBouncer, for example: default_pool_size = 20',
  );
}

function needsSessionMode(): StartupError {
  return new StartupError(
    'ONWARD_DATABASE_URL: the pooler at this address lends a connection for one transaction or statement only, and Onward ' +
      'needs it for longer: it listens, locks and prepares statements. Set PgBouncer to session mode (pool_mode = session), ' +
      'or name PostgreSQL itself. For example: ONWARD_DATABASE_URL=postgres://onward:secret@127.0.0.1:5432/onward',
  );
}

async function requireWritable(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query<{ standby: boolean; writable: boolean }>(
    `select pg_is_in_recovery() as standby, current_setting('transaction_read_only') = 'off' as writable`,
  );
  const { standby, writable } = rows[0]!;
  if (standby)
    throw new StartupError(
      'ONWARD_DATABASE_URL names a standby: a copy of a database that can only be read. Name the primary that it follows, or ' +
        'promote the standby first. For example: ONWARD_DATABASE_URL=postgres://onward:secret@primary.example.org:5432/onward',
    );
  if (!writable)
    throw new StartupError(
      'ONWARD_DATABASE_URL names a database that takes no changes (default_transaction_read_only is on), perhaps because its ' +
        'disk is nearly full. Let it take changes again, or name another one.',
    );
}

/** With `off`, PostgreSQL confirms a referral before it is on the disk, and a crash may lose it. Every other value waits for the disk. */
async function requireDurableCommits(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query<{ value: string }>(
    `select current_setting('synchronous_commit') as value`,
  );
  if (rows[0]!.value !== 'off') return;
  throw new StartupError(
    'ONWARD_DATABASE_URL names a database with synchronous_commit = off: it confirms changes that are not on its disk yet, and a ' +
      'crash would lose them. Set it to on for the server, the database and the role of the site. For example: ' +
      'alter role onward set synchronous_commit = on',
  );
}

/**
 * Whether the database takes changes. A standby takes none, and its operator may have made it read-only when the disk was
 * nearly full. @throws when it does not answer.
 */
export async function isWritable(db: Db): Promise<boolean> {
  const { rows } = await sql<{ writable: boolean }>`
    select current_setting('transaction_read_only') = 'off' as writable`.execute(db);
  return rows[0]!.writable;
}

/** The version of PostgreSQL, and the latest migration of its tables. */
export async function describeDatabase(db: Db): Promise<{ version: string; latestMigration: string }> {
  const { rows } = await sql<{ version: string; latestMigration: string }>`
    select current_setting('server_version') as version,
      (select max(name) from onward_migrations) as "latestMigration"`.execute(db);
  return rows[0]!;
}
