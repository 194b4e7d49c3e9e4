import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import type { Log } from '../log/index.ts';
import { describeError } from '../log/index.ts';

/** Where reads may go: the pool, or a transaction that is under way. */
export type Db = Kysely<unknown>;
/** What every change needs: a transaction of the action that makes it. A `Db` is not one, so it cannot be forgotten. */
export type Trx = Transaction<unknown>;

export type Database = {
  readonly db: Db;
  readonly pool: pg.Pool;
  /** How to open one more connection, for listening. */
  readonly connection: pg.ClientConfig;
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

/** Opens a pool of at most `size` connections. Connections are made when first needed; none is made here. */
export function connect(target: pg.ClientConfig, log: Log, size = 10): Database {
  const connection: pg.ClientConfig = {
    application_name: 'onward',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    statement_timeout: 120_000,
    idle_in_transaction_session_timeout: 120_000,
    types,
    ...target,
  };
  const pool = new pg.Pool({ ...connection, max: size });
  // A connection that breaks while idle must not end the process: the pool makes a new one when it is needed.
  let closing = false;
  pool.on('error', (error) => {
    if (!closing) log.warn({ error: describeError(error) }, 'a database connection was lost');
  });
  pool.on('connect', (client) => client.on('error', () => undefined));
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  const close = () => {
    closing = true;
    return db.destroy();
  };
  return { db, pool, connection, close };
}

/** Runs an action's changes as one: all of them, or none. Within a transaction they become part of it. */
export function inTransaction<T>(db: Db, changes: (trx: Trx) => Promise<T>): Promise<T> {
  return db.isTransaction ? changes(db as Trx) : db.transaction().execute(changes);
}
