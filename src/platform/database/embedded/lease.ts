import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { StartupError } from '../../process/startup-error.ts';
import { isServerGone } from '../errors.ts';
import { connectUnlessGone, type DatabaseConnection } from './connection.ts';
import { isAlive } from './running-server.ts';
import { stopServer } from './server.ts';

/** The first half of our advisory locks' keys ("onwd"), so that no other program's locks have the same. */
const lockSpace = 0x6f6e7764;

/** The second halves of their keys. */
const locks = {
  /** Held by the one site that may run on the directory. */
  site: 1,
  /** Shared by every process that uses PostgreSQL. The last process holds it alone while it stops PostgreSQL. */
  users: 2,
  /** Held while a process makes or prepares the site's database. */
  making: 3,
};

/** How long a killed site's connection may take to vanish. A live site is not waited for. */
const deadHolderMs = 2_000;
const pollEveryMs = 20;

/** A process's claim on the directory. It is a connection, so that it ends with the process, however that ends. */
export type Lease = {
  readonly client: pg.Client;
  /** Gives up the claim, and stops PostgreSQL if no other process has one. To be called once. */
  release(): Promise<void>;
  /** Calls the listener when the connection breaks before `release`, or at once if it has broken already. */
  onLost(listener: (error: Error) => void): void;
};

/**
 * What a process does on the directory. Only one site may run on it; commands run beside it or alone. The command that
 * moves the database elsewhere lets nobody else in, since what they change meanwhile would be left behind.
 */
export type Purpose = 'site' | 'command' | 'move';

export type Claim = {
  dataDir: string;
  cluster: string;
  pid: number;
  connection: DatabaseConnection;
  purpose: Purpose;
};

/**
 * Claims the directory for this process. Undefined if its PostgreSQL is stopping: the caller then looks again.
 * @throws StartupError if another process on the directory rules this use out.
 */
export async function takeLease(claim: Claim): Promise<Lease | undefined> {
  const client = await connectUnlessGone(claim.connection, connectionName(claim.purpose));
  if (client === undefined) return undefined;
  const lease = leaseOn(client, claim);
  try {
    if (await callLock(client, 'pg_try_advisory_lock_shared', 'users')) {
      if (claim.purpose !== 'command') await claimSite(client, claim.dataDir);
      if (claim.purpose === 'move') await shutOthersOut(client, claim.dataDir);
      return lease;
    }
    // Another process holds the lock alone: the last one while it stops PostgreSQL, or one that moves the database.
    await refuseDuringMove(client, claim.dataDir);
  } catch (error) {
    // Released and not just closed: the other site may have gone meanwhile, and this process must then stop PostgreSQL.
    await lease.release();
    if (isServerGone(error)) return undefined;
    throw error;
  }
  await client.end().catch(() => undefined);
  return undefined;
}

function leaseOn(client: pg.Client, claim: Claim): Lease {
  let lost: Error | undefined;
  let isLeaving = false;
  let listener: ((error: Error) => void) | undefined;
  const onBreak = (error?: Error) => {
    if (isLeaving || lost !== undefined) return;
    lost = error ?? new Error('The connection to the site’s PostgreSQL was closed.');
    listener?.(lost);
  };
  // Without a listener, a broken connection would end the process as an unhandled 'error' event.
  client.on('error', onBreak);
  client.on('end', () => onBreak());
  return {
    client,
    async release() {
      isLeaving = true;
      // If the connection broke, the claim has ended already.
      if (lost === undefined && (await swapForExclusiveLock(client)))
        await stopServer(claim.cluster, claim.pid);
      await client.end().catch(() => undefined);
    },
    onLost(callback) {
      listener = callback;
      if (lost !== undefined) callback(lost);
    },
  };
}

/**
 * Swaps this process’s shared lock for the exclusive one. @returns whether it got that: then this was the last process, and no other
 * can join before this connection ends.
 */
async function swapForExclusiveLock(client: pg.Client): Promise<boolean> {
  try {
    await callLock(client, 'pg_advisory_unlock_shared', 'users');
    return await callLock(client, 'pg_try_advisory_lock', 'users');
  } catch {
    // PostgreSQL is gone or does not answer, so there is nothing to stop.
    return false;
  }
}

/** The connection's name holds the process number, so that a refused site can say which process is in its way. */
function connectionName(purpose: Purpose): string {
  return `onward ${purpose} ${process.pid}`;
}

/**
 * Makes this process the one site of the directory.
 * @throws StartupError naming the other site's process if there is one.
 */
async function claimSite(client: pg.Client, dataDir: string): Promise<void> {
  const giveUpAtMs = performance.now() + deadHolderMs;
  while (!(await callLock(client, 'pg_try_advisory_lock', 'site'))) {
    const holder = processIn(await otherHolder(client, 'site'));
    const isHolderAlive = holder !== undefined && (await isAlive(holder));
    if (isHolderAlive || performance.now() > giveUpAtMs) {
      throw new StartupError(
        `Another Onward site${processNote(holder)} is running on ${dataDir}. ` +
          'Stop it first, or give this site a directory of its own, for example ONWARD_DATA_DIR=/var/lib/onward-2.',
      );
    }
    await delay(pollEveryMs);
  }
}

/** @throws StartupError naming another process on the directory if there is one. */
async function shutOthersOut(client: pg.Client, dataDir: string): Promise<void> {
  const giveUpAtMs = performance.now() + deadHolderMs;
  while (!(await callLock(client, 'pg_try_advisory_lock', 'users'))) {
    if (performance.now() > giveUpAtMs) {
      const holder = processIn(await otherHolder(client, 'users'));
      throw new StartupError(
        `Another command of Onward${processNote(holder)} is at work on ${dataDir}. Wait until it has ended, then try again.`,
      );
    }
    await delay(pollEveryMs);
  }
}

/** @throws StartupError if a live process is moving the database elsewhere. */
async function refuseDuringMove(client: pg.Client, dataDir: string): Promise<void> {
  const name = await otherHolder(client, 'users');
  const holder = processIn(name);
  if (!name?.startsWith('onward move ') || holder === undefined || !(await isAlive(holder))) return;
  throw new StartupError(
    `The database in ${dataDir} is being moved to another PostgreSQL (process ${holder}). Wait until that has ended.`,
  );
}

const processNote = (holder: number | undefined) => (holder === undefined ? '' : ` (process ${holder})`);

function processIn(name: string | undefined): number | undefined {
  const digits = /^onward (?:site|command|move) (\d+)$/.exec(name ?? '')?.[1];
  return digits === undefined ? undefined : Number(digits);
}

type LockName = keyof typeof locks;

type LockCall =
  | 'pg_advisory_lock'
  | 'pg_advisory_unlock'
  | 'pg_advisory_unlock_shared'
  | 'pg_try_advisory_lock'
  | 'pg_try_advisory_lock_shared';

/**
 * Calls one of PostgreSQL's lock functions in the client's session.
 * @returns whether it took or gave back the lock; false for `pg_advisory_lock`, which waits and says nothing
 */
export async function callLock(client: pg.Client, call: LockCall, lock: LockName): Promise<boolean> {
  const { rows } = await client.query<{ done: unknown }>(`select ${call}($1, $2) as done`, [
    lockSpace,
    locks[lock],
  ]);
  return rows[0]?.done === true;
}

/** The name of another connection that holds the lock; undefined if none does. All of them are of the maintenance database. */
async function otherHolder(client: pg.Client, lock: LockName): Promise<string | undefined> {
  const { rows } = await client.query<{ name: string }>(
    `select a.application_name as name from pg_locks l join pg_stat_activity a using (pid)
      where l.locktype = 'advisory' and l.classid = $1 and l.objid = $2 and l.objsubid = 2 and l.granted
        and l.pid <> pg_backend_pid()`,
    [lockSpace, locks[lock]],
  );
  return rows[0]?.name;
}
