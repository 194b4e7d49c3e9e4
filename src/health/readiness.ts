import { freeMegabytes } from '../platform/check-writable.ts';
import { isWritable } from '../platform/database/index.ts';
import type { Platform } from '../platform/platform.ts';

export type ReadinessDeps = Pick<Platform, 'db' | 'settings'> & {
  readonly workerIsHealthy: () => boolean;
  /** Before the index is filled, the first search of a large library waits for seconds. */
  readonly searchIndex: { isReady(): boolean };
};

/** PostgreSQL writes its log in files of 16 MB, and stops where it cannot make the next. */
const minFreeMegabytes = 32;

/**
 * What keeps this process from serving, if anything. Without changes nothing can be served but the library: reading a
 * referral is written down, and so is signing in.
 */
export async function whyNotReady({
  db,
  settings,
  workerIsHealthy,
  searchIndex,
}: ReadinessDeps): Promise<string | undefined> {
  const takes = await isWritable(db).catch(() => undefined);
  if (takes === undefined) return 'The database does not answer.';
  if (!takes) return 'The database takes no changes: it is a standby, or was shut to them.';
  const { databaseUrl, dataDir } = settings;
  if (databaseUrl === undefined && (await freeMegabytes(dataDir)) < minFreeMegabytes)
    return 'The disk of the data directory is full.';
  if (!workerIsHealthy()) return 'The worker, which delivers referrals, is not running.';
  return searchIndex.isReady() ? undefined : 'The library is still being read into memory, for the search.';
}
