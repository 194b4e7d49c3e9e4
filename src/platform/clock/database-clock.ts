import { sql } from 'kysely';
import type { Db } from '../database/index.ts';
import type { Clock } from './index.ts';

const resyncEveryMs = 30_000;

export type DatabaseClock = Clock & { stop(): void };

/**
 * A clock that shows the database's time without asking it each time: it measures once how far the database is from
 * this process's monotonic timer, and again every 30 seconds. Two processes whose machines disagree by minutes thus
 * agree on when a token expires, and a jump of this machine's clock changes nothing.
 */
export async function startDatabaseClock(db: Db): Promise<DatabaseClock> {
  let offsetMs = await measureOffsetMs(db);
  const timer = setInterval(() => {
    measureOffsetMs(db).then(
      (measured) => {
        offsetMs = measured;
      },
      // The database is away: the last offset stays right, because the timer is monotonic.
      () => undefined,
    );
  }, resyncEveryMs).unref();
  return { now: () => new Date(performance.now() + offsetMs), stop: () => clearInterval(timer) };
}

async function measureOffsetMs(db: Db): Promise<number> {
  const before = performance.now();
  const { rows } = await sql<{ ms: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`.execute(db);
  const after = performance.now();
  return rows[0]!.ms - (before + after) / 2;
}
