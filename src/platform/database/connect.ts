import { Socket } from 'node:net';
import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import type { Log } from '../log/index.ts';
import { describeError } from '../log/index.ts';
import { CheckedClient } from './checked-client.ts';
import type { DB } from './tables.ts';

/** Where reads may go: the pool, or a transaction that is under way. */
export type Db = Kysely<DB>;

/** The pool of this process. */
class PoolDb extends Kysely<DB> {
  transactionsEnded = 0;
}

/** How many transactions this process has ended: what it read before may be older than its own last change. */
export function transactionsEnded(db: Db): number {
  return db instanceof PoolDb ? db.transactionsEnded : 0;
}

/** What every change needs: a transaction of the action that makes it. A `Db` is not one, so it cannot be forgotten. */
export type Trx = Transaction<DB>;

export type Database = {
  readonly db: Db;
  readonly pool: pg.Pool;
  /** How to open one more connection, for listening. */
  readonly connection: pg.ClientConfig;
  /** Breaks every connection of the pool: whoever waits for an answer on one is told so, and new ones are made. */
  cut(): void;
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

const defaultTimeoutMs = 120_000;

/** Opens a pool of at most `size` connections. Connections are made when first needed; none is made here. */
export function connect(
  { statement_timeout = defaultTimeoutMs, ...target }: pg.ClientConfig,
  log: Log,
  size = 10,
): Database {
  const connection: pg.ClientConfig = {
    application_name: 'onward',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    types,
    ...target,
  };
  // Set on the open connection, since PgBouncer accepts hardly any setting in the startup message.
  const text = `set statement_timeout = ${statement_timeout}; set idle_in_transaction_session_timeout = ${defaultTimeoutMs}`;
  const onConnect = (client: pg.ClientBase) =>
    client.query({ text, query_timeout: defaultTimeoutMs / 10 } as pg.QueryConfig);
  const pool = new pg.Pool({ ...connection, Client: CheckedClient, max: size, onConnect });
  // A connection that breaks while idle must not end the process: the pool makes a new one when it is needed.
  let closing = false;
  pool.on('error', (error) => {
    if (!closing) log.warn({ error: describeError(error) }, 'a database connection was lost');
  });
  const clients = new Set<pg.PoolClient>();
  pool.on('remove', (client) => clients.delete(client));
  pool.on('connect', (client) => {
    clients.add(client);
    client.on('error', () => undefined);
  });
  const db = new PoolDb({ dialect: new PostgresDialect({ pool }) });
  const close = () => {
    closing = true;
    return db.destroy();
  };
  return { db, pool, connection, cut: () => clients.forEach(breakOff), close };
}

function breakOff(client: pg.PoolClient): void {
  (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
}

/** How a transaction ended. Where the connection broke at the very end, nobody knows whether it was committed. */
export type TransactionOutcome = 'committed' | 'rolled-back' | 'unknown';

/** What is known of a transaction that is under way. */
type TransactionState = { db: Db; atEnd: ((outcome: TransactionOutcome) => void)[] };
const transactionStates = new WeakMap<Db, TransactionState>();

/** Runs an action's changes as one: all of them, or none. Within a transaction they become part of it. */
export async function inTransaction<T>(db: Db, changes: (trx: Trx) => Promise<T>): Promise<T> {
  if (db.isTransaction) return changes(db as Trx);
  const state: TransactionState = { db, atEnd: [] };
  let outcome: TransactionOutcome = 'rolled-back';
  try {
    const result = await db.transaction().execute(async (trx) => {
      transactionStates.set(trx, state);
      const changed = await changes(trx);
      outcome = 'unknown';
      return changed;
    });
    outcome = 'committed';
    return result;
  } finally {
    if (db instanceof PoolDb) db.transactionsEnded += 1;
    for (const callback of state.atEnd) callback(outcome);
  }
}

/** The database that a transaction of `inTransaction` belongs to. */
export function databaseOf(trx: Trx): Db {
  return stateOf(trx).db;
}

/** Calls back once, as soon as this process knows how the transaction ended. */
export function onTransactionEnd(trx: Trx, callback: (outcome: TransactionOutcome) => void): void {
  stateOf(trx).atEnd.push(callback);
}

function stateOf(trx: Trx): TransactionState {
  const state = transactionStates.get(trx);
  if (!state) throw new Error('this transaction was not begun by inTransaction');
  return state;
}

/** What a connection is for that is kept all the time. */
export type LastingUse = {
  name: string;
  beatEveryMs: number;
  /** Prepares each new connection. Where it fails, another connection is tried. */
  begin(client: pg.Client): Promise<void>;
  /** Called on each answer to a beat, with the monotonic time at which it was sent. */
  answered?(askedAtMs: number): void;
  /** Called when the connection is gone, and for each attempt that failed. */
  lost(error: unknown): void;
};

const firstPauseMs = 50;
/** Short, because others take a worker for dead that is not back soon: see jobs/orphaned-jobs.ts. */
const maxPauseMs = 1000;
/** Longer than a server takes that is there. */
const timeoutMs = 2000;
/** A first connection is what a start waits for, on a machine that may be busy with just that. */
const firstPatienceMs = 10_000;
const partingMs = 500;

/**
 * Keeps one connection, made anew whenever it breaks: in one loop, so that however long the database is away there is
 * one attempt at a time. Beats on it find out when its other end vanished without a word.
 * @returns what ends it, within seconds whatever the database does. @throws when the first attempt fails.
 */
export async function stayConnected(connection: pg.ClientConfig, use: LastingUse) {
  const first = Promise.withResolvers<void>();
  const line: Line = { stopped: false, socket: undefined, wake: () => undefined };
  const keep = async () => {
    let isFirst = true;
    for (let pauseMs = firstPauseMs; !line.stopped; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
      const answered = (askedAtMs: number) => {
        pauseMs = firstPauseMs;
        use.answered?.(askedAtMs);
        first.resolve();
      };
      const limitMs = isFirst ? firstPatienceMs : timeoutMs;
      isFirst = false;
      await useOnce(connection, { ...use, answered }, line, limitMs).catch((error) => {
        if (!line.stopped) use.lost(error);
        first.reject(error);
      });
      if (!line.stopped) await pause(line, pauseMs);
    }
  };
  const kept = keep();
  const stop = async () => {
    line.stopped = true;
    line.wake();
    setTimeout(() => line.socket?.destroy(), partingMs).unref();
    await kept;
  };
  await first.promise.catch((error) => stop().then(() => Promise.reject(error)));
  return stop;
}

type Line = { stopped: boolean; socket: Socket | undefined; wake: () => void };

/** Uses one connection until it breaks, which is thrown, or until it is stopped. */
async function useOnce(
  connection: pg.ClientConfig,
  use: Required<LastingUse>,
  line: Line,
  limitMs: number,
): Promise<void> {
  const socket = new Socket();
  line.socket = socket;
  const settings = {
    ...connection,
    connectionTimeoutMillis: limitMs,
    query_timeout: limitMs,
    application_name: use.name,
  };
  const client = new pg.Client({ ...settings, stream: () => socket });
  let inUse = true;
  client.on('error', () => undefined);
  // Out of the pause between beats, that is: the pause before the next attempt is not to be cut short.
  client.on('end', () => inUse && line.wake());
  try {
    await client.connect();
    await use.begin(client);
    while (!line.stopped) {
      const askedAtMs = performance.now();
      // Rejects when the connection has ended: this is how every kind of end is learnt of.
      await client.query({ text: 'select 1', query_timeout: timeoutMs } as pg.QueryConfig);
      use.answered(askedAtMs);
      if (!socket.destroyed) await pause(line, use.beatEveryMs);
    }
  } finally {
    inUse = false;
    // A server that is gone never says goodbye, and a socket left waiting for it would be one more for each attempt.
    const goodbye = socket.destroyed ? undefined : client.end().catch(() => undefined);
    await Promise.race([goodbye, pause(line, partingMs)]);
    socket.destroy();
  }
}

function pause(line: Line, ms: number): Promise<void> {
  return new Promise((resolve) => {
    line.wake = resolve;
    setTimeout(resolve, ms).unref();
  });
}
