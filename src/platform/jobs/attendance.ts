import type { Database } from '../database/index.ts';
import { describeError, type Log } from '../log/index.ts';
import { bePresent } from './be-present.ts';
import { lookForTheDead } from './look-for-the-dead.ts';

/**
 * Which workers are alive. A worker locks the job it runs; one that is killed leaves it locked, and the queue itself
 * would give it up only after four hours. So each worker holds a database lock on the name that its jobs are locked
 * by, which ends with its connection: whoever finds such a name without that lock, twice in a row, frees its jobs.
 */
export type Attendance = { healthy(): boolean; leave(): Promise<void> };

/**
 * A live worker that lost its connection is back sooner than the pause between two looks (its attempts are at most a
 * second apart). The second look comes sooner at the start, for the jobs of a killed process that is started again.
 */
const secondLookAfterMs = 1500;
const lookEveryMs = 4000;

/** @throws when the database cannot be reached. */
export async function attend(database: Database, workerName: string, log: Log): Promise<Attendance> {
  const presence = await bePresent(database.connection, workerName);
  const look = lookForTheDead(database.db, workerName);
  let timer: NodeJS.Timeout | undefined;
  let left = false;
  const lookAround = async (pauseMs: number) => {
    await look().catch((error) => log.warn({ error: describeError(error) }, 'worker attendance'));
    if (!left) timer = setTimeout(() => void lookAround(lookEveryMs), pauseMs).unref();
  };
  void lookAround(secondLookAfterMs);
  return {
    healthy: presence.held,
    async leave() {
      left = true;
      clearTimeout(timer);
      await presence.end();
    },
  };
}
