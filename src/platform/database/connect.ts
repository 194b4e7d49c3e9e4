import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import type { Log } from '../log/index.ts';
import { describeError } from '../log/index.ts';
import type { DB } from './tables.ts';

/** For a read, or for one write that stands alone: the pool, or a transaction that is under way. */
export type Db = Kysely<DB>;

/** The database through this process’s pool. Counts the transactions that have ended. */
export class PoolDb extends Kysely<DB> {
  transactionsEnded = 0;
}

/** For a write that belongs to an action: its transaction. The pool cannot be handed in instead, so nobody forgets the transaction. */
export type Trx = Transaction<DB>;

export type Database = {
  readonly db: Db;
  readonly pool: pg.Pool;
  /** How to open one more connection, for listening. */
  readonly connection: pg.ClientConfig;
  /** Breaks every connection of the pool. Queries that wait for an answer fail, and new connections are made. */
  breakConnections(): void;
  close(): Promise<void>;
};

const dateOid = 1082;
const bigintOid = 20;

const types: pg.CustomTypesConfig = {
  getTypeParser(oid, format) {
    // A birth date is a date, not a moment: as a JavaScript Date it would move with the machine's time zone.
    if (oid === dateOid) return (value: string) => value;
    if (oid === bigintOid) return Number;
    return pg.types.getTypeParser(oid, format as 'text');
  },
} as pg.CustomTypesConfig;

/** For a statement, and for a transaction that does nothing meanwhile. */
const defaultTimeoutMs = 120_000;
/** Setting up a connection takes a moment. A server that does not answer must not hold up the start. */
const setupTimeoutMs = 12_000;

/** Opens a pool of at most `maxConnections`. They are made when first needed; none is made here. */
export function connect(
  { statement_timeout = defaultTimeoutMs, ...target }: pg.ClientConfig,
  log: Log,
  maxConnections = 10,
): Database {
  const connection: pg.ClientConfig = {
    application_name: 'onward',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    types,
    ...target,
  };
  // Set on the open connection, since PgBouncer accepts hardly any setting in the startup message.
  const text =
    `set statement_timeout = ${statement_timeout}; set idle_in_transaction_session_timeout = ${defaultTimeoutMs}; ` +
    // Compiling a statement of ours takes far longer than running it (docs/performance.md).
    'set jit = off';
  const onConnect = (client: pg.ClientBase) =>
    client.query({ text, query_timeout: setupTimeoutMs } as pg.QueryConfig);
  const pool = new pg.Pool({ ...connection, Client: CheckedClient, max: maxConnections, onConnect });
  // A connection that breaks while idle must not end the process: the pool makes a new one when it is needed.
  let isClosing = false;
  pool.on('error', (error) => {
    if (!isClosing) log.warn({ error: describeError(error) }, 'a database connection was lost');
  });
  const clients = new Set<pg.PoolClient>();
  pool.on('remove', (client) => clients.delete(client));
  pool.on('connect', (client) => {
    clients.add(client);
    // Without a listener, a connection that breaks while in use would end the process. The query that waits fails anyway.
    client.on('error', () => undefined);
  });
  const db = new PoolDb({ dialect: new PostgresDialect({ pool }) });
  const close = () => {
    isClosing = true;
    return db.destroy();
  };
  return { db, pool, connection, breakConnections: () => clients.forEach(breakOff), close };
}

function breakOff(client: pg.PoolClient): void {
  client.connection.stream.destroy();
}

/** A connection that notices when a commit committed nothing. */
export class CheckedClient extends pg.Client {
  override query(...args: unknown[]): never {
    const answer: unknown = (super.query as Query).apply(this, args);
    return (
      // The very word that Kysely sends.
      (args[0] === 'commit' && answer instanceof Promise ? answer.then(requireCommitted) : answer) as never
    );
  }
}

type Query = (...args: unknown[]) => unknown;

/**
 * If a statement of the transaction failed before, PostgreSQL answers a commit with ROLLBACK and no error. Code that had
 * swallowed the first error would believe that its work was stored. @throws Error
 */
function requireCommitted(result: unknown): unknown {
  if ((result as pg.QueryResult).command === 'ROLLBACK')
    throw new Error('the transaction was rolled back at its end: one of its statements had failed');
  return result;
}
