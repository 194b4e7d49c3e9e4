import type pg from 'pg';
import { callLock } from './advisory-locks.ts';
import { claimSite, connectionName } from './claim-site.ts';
import { connectUnlessGone, isGone } from './connect-unless-gone.ts';
import type { Connection } from './connection.ts';
import { stopServer } from './stop-server.ts';

/** A process's claim on the directory. It is a connection, so that it ends with the process however that ends. */
export type Lease = {
  readonly client: pg.Client;
  /** Gives up the claim, and stops PostgreSQL when nobody else has one. Once. */
  release(): Promise<void>;
  /** Sets who hears when the connection breaks before `release`; says so at once if it has broken already. */
  onLost(listener: (error: Error) => void): void;
};

export type Claim = {
  dataDir: string;
  cluster: string;
  pid: number;
  connection: Connection;
  use: 'site' | 'command';
};

/**
 * Claims the directory for this process; undefined when its PostgreSQL is going away, and has to be looked for anew.
 * Throws a `StartupError` when another site runs on it.
 */
export async function takeLease(claim: Claim): Promise<Lease | undefined> {
  const client = await connectUnlessGone(claim.connection, connectionName(claim.use));
  if (client === undefined) return undefined;
  const lease = leaseOn(client, claim);
  try {
    // Refused only while the last user, who holds it alone, is stopping PostgreSQL.
    if (await callLock(client, 'pg_try_advisory_lock_shared', 'users')) {
      if (claim.use === 'site') await claimSite(client, claim.dataDir);
      return lease;
    }
  } catch (error) {
    // Not just closed: the site in the way may have left meanwhile, and left PostgreSQL to us.
    await lease.release();
    if (isGone(error)) return undefined;
    throw error;
  }
  await client.end().catch(() => undefined);
  return undefined;
}

function leaseOn(client: pg.Client, claim: Claim): Lease {
  let lost: Error | undefined;
  let leaving = false;
  let listener: ((error: Error) => void) | undefined;
  const breaks = (error?: Error) => {
    if (leaving || lost !== undefined) return;
    lost = error ?? new Error('The connection to the site’s PostgreSQL was closed.');
    listener?.(lost);
  };
  // Without a listener the first break would end the process as an unhandled 'error' event.
  client.on('error', breaks);
  client.on('end', () => breaks());
  return {
    client,
    async release() {
      leaving = true;
      // A connection that broke has given up its claim by breaking.
      if (lost === undefined && (await isLast(client))) await stopServer(claim.cluster, claim.pid);
      await client.end().catch(() => undefined);
    },
    onLost(heard) {
      listener = heard;
      if (lost !== undefined) heard(lost);
    },
  };
}

/** Leaves the users; true when there were no others, and then nobody can join before this connection ends. */
async function isLast(client: pg.Client): Promise<boolean> {
  try {
    await callLock(client, 'pg_advisory_unlock_shared', 'users');
    return await callLock(client, 'pg_try_advisory_lock', 'users');
  } catch {
    // PostgreSQL is gone, or does not answer: there is nothing left to stop.
    return false;
  }
}
