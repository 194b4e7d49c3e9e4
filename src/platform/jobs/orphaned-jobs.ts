import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type pg from 'pg';
import { type Database, type Db, inTransaction, lockSeeds, type Trx } from '../database/index.ts';
import { stayConnected } from '../database/notices/stay-connected.ts';
import { describeError, type Log } from '../log/index.ts';

// A worker locks each job that it runs in the queue. A killed worker leaves its jobs locked, and graphile-worker would
// free them only after four hours. So each worker also holds a database lock named after itself, which ends with its
// connection. If that lock is missing at two checks in a row, the worker's jobs are released.

/** The name of the connection that holds the lock. */
export const workerConnectionName = 'onward worker';

/**
 * Longer than a live worker takes to connect again. The second check comes sooner at the start, because a killed process is
 * usually restarted at once.
 */
const pollEveryMs = 4000;
const secondCheckAfterMs = 1500;

export type OrphanWatch = {
  /** Whether this worker's own lock is held. */
  holdsLock(): boolean;
  stop(): Promise<void>;
};

/**
 * Holds this worker's lock and releases the jobs of workers that are gone.
 * @param onReleased is called when jobs were released and can be picked.
 * @param worker the name of its pool in the queue. Without one, all workers would share one lock, and live workers’ jobs be released.
 * @throws when the database cannot be reached, or the worker has no name.
 */
export async function watchForOrphans(
  database: Database,
  { worker, log, onReleased }: { worker: string | undefined; log: Log; onReleased: () => void },
): Promise<OrphanWatch> {
  if (!worker) throw new Error('the queue gave this worker no name');
  const lock = await holdWorkerLock(database.connection, worker);
  const check = createOrphanCheck(database.db, worker);
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const checkAndWait = async (pauseMs: number) => {
    try {
      if (await check()) onReleased();
    } catch (error) {
      log.warn({ error: describeError(error) }, 'the check for jobs of killed workers failed');
    }
    if (!isStopped) timer = setTimeout(() => void checkAndWait(pollEveryMs), pauseMs).unref();
  };
  void checkAndWait(secondCheckAfterMs);
  return {
    holdsLock: lock.isHeld,
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await lock.end();
    },
  };
}

/**
 * @returns a function that checks all workers other than `ownName`. It releases the jobs of those whose lock was missing at
 * this check and the one before, and returns whether it released any.
 */
export function createOrphanCheck(db: Db, ownName: string): () => Promise<boolean> {
  let missingBefore: readonly string[] = [];
  return async () => {
    const suspects = missingBefore;
    // If this check fails because the database is unreachable, the next two checks decide.
    missingBefore = [];
    return inTransaction(db, async (trx) => {
      const missing = await takeLocksOfMissingWorkers(trx, ownName);
      const dead = missing.filter((name) => suspects.includes(name));
      missingBefore = missing.filter((name) => !dead.includes(name));
      if (dead.length === 0) return false;
      await sql`select graphile_worker.force_unlock_workers(${dead}::text[])`.execute(trx);
      return true;
    });
  };
}

/** Finds workers that have jobs and no lock. Takes those locks, so that none comes back during the transaction. */
async function takeLocksOfMissingWorkers(trx: Trx, ownName: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    with holders as materialized (
      select distinct locked_by as name from graphile_worker.jobs where locked_by <> ${ownName})
    select name from holders where pg_try_advisory_xact_lock(hashtextextended(name, ${lockSeeds.worker}))`.execute(
    trx,
  );
  return rows.map(({ name }) => name);
}

export type WorkerLock = { isHeld(): boolean; end(): Promise<void> };

const beatEveryMs = 2000;
const tryLockAgainAfterMs = 250;

/** Holds the lock of this name on its own connection, and takes it again whenever the database comes back. */
export async function holdWorkerLock(connection: pg.ClientConfig, worker: string): Promise<WorkerLock> {
  let isHeld = false;
  const end = await stayConnected(connection, {
    name: workerConnectionName,
    beatEveryMs,
    async onConnect(client) {
      // If this machine vanishes without a word, the server notices within 25 seconds instead of two hours.
      await client.query(
        `set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3`,
      );
      // The server may not have noticed yet that our last connection broke, and keep the lock for it. We try again
      // instead of waiting in the server, because a waiting session would stay there if this process gave up.
      while (!(await takeLock(client, worker))) await delay(tryLockAgainAfterMs);
      isHeld = true;
    },
    onLost() {
      isHeld = false;
    },
  });
  return {
    isHeld: () => isHeld,
    async end() {
      isHeld = false;
      await end();
    },
  };
}

async function takeLock(client: pg.Client, worker: string): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>(
    'select pg_try_advisory_lock(hashtextextended($1, $2)) as taken',
    [worker, lockSeeds.worker],
  );
  return rows[0]!.taken;
}
