import { Socket } from 'node:net';
import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import type { Log } from '../log/index.ts';
import { describeError } from '../log/index.ts';
import { countChanges } from './own-changes.ts';
import { PreparingClient } from './preparing-client.ts';

/** Where reads may go: the pool, or a transaction that is under way. */
export type Db = Kysely<unknown>;
/** What every change needs: a transaction of the action that makes it. A `Db` is not one, so it cannot be forgotten. */
export type Trx = Transaction<unknown>;

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
  const pool = new pg.Pool({ ...connection, Client: PreparingClient, max: size });
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
    countChanges(client);
  });
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  const close = () => {
    closing = true;
    return db.destroy();
  };
  return { db, pool, connection, cut: () => clients.forEach(breakOff), close };
}

function breakOff(client: pg.PoolClient): void {
  (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
}

/** Runs an action's changes as one: all of them, or none. Within a transaction they become part of it. */
export function inTransaction<T>(db: Db, changes: (trx: Trx) => Promise<T>): Promise<T> {
  return db.isTransaction ? changes(db as Trx) : db.transaction().execute(changes);
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
/** Short, because others take a worker for dead that is not back soon: see jobs/attendance.ts. */
const longestPauseMs = 1000;
/** Longer than a server takes that is there. */
const patienceMs = 2000;
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
    for (let pauseMs = firstPauseMs; !line.stopped; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      const answered = (askedAtMs: number) => {
        pauseMs = firstPauseMs;
        use.answered?.(askedAtMs);
        first.resolve();
      };
      const limitMs = isFirst ? firstPatienceMs : patienceMs;
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
      await client.query({ text: 'select 1', query_timeout: patienceMs } as pg.QueryConfig);
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
