import { isWritable } from '../platform/database/index.ts';
import type { Platform } from '../platform/platform.ts';
import { freeMegabytes } from '../platform/process/check-writable.ts';

export type ReadinessDeps = Pick<Platform, 'db' | 'settings'> & {
  readonly workerIsHealthy: () => boolean;
  /** Before the index is filled, the first search of a large library waits for seconds. */
  readonly libraryFollower: { isReady(): boolean };
};

/** PostgreSQL stops if the disk has no room for the next file of its write-ahead log, which has 16 MB. */
const stopBelowMegabytes = 32;

/**
 * Why this process cannot serve requests, in one sentence; undefined if it can. With a read-only database it could serve only the library,
 * because reading referrals and signing in write audit entries.
 */
export async function whyNotReady({
  db,
  settings,
  workerIsHealthy,
  libraryFollower,
}: ReadinessDeps): Promise<string | undefined> {
  const writable = await isWritable(db).catch(() => undefined);
  if (writable === undefined) return 'The database does not answer.';
  if (!writable) return 'The database is read-only: it is a standby, or was set to read-only.';
  const { databaseUrl, dataDir } = settings;
  if (databaseUrl === undefined && (await freeMegabytes(dataDir)) < stopBelowMegabytes)
    return 'The disk of the data directory is full.';
  if (!workerIsHealthy()) return 'The worker, which delivers referrals, is not running.';
  return libraryFollower.isReady()
    ? undefined
    : 'The library is still being read into memory, for the search.';
}
