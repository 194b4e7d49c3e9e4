import { sql } from 'kysely';
import type { Db } from '../database/index.ts';
import type { Clock } from './index.ts';

const lookEveryMs = 1000;
const resyncEveryMs = 30_000;
/** An answer that took longer says too little: the database's time is that of any moment on the way. */
const maxRoundTripMs = 200;
const samplesAtStart = 5;
/** How far the machine's two clocks may part before it must have slept, or its time was set. */
const maxDriftMs = 1000;

export type DatabaseClock = Clock & { stop(): void };

type Sample = { offsetMs: number; roundTripMs: number; takenAtMs: number; wallOffsetMs: number };

/**
 * A clock that shows the database's time without asking it each time: it measures once how far the database is from
 * this process's monotonic timer, and again every 30 seconds. Two processes whose machines disagree by minutes thus
 * agree on when a token expires, and a jump of this machine's clock changes nothing. The monotonic timer stands still
 * while the machine sleeps, so it is measured again, too, when the machine's own clock ran away from it.
 */
export async function startDatabaseClock(db: Db): Promise<DatabaseClock> {
  let sample = await firstSample(db);
  // For a database that is always far away, its own best.
  const acceptableMs = Math.max(maxRoundTripMs, 2 * sample.roundTripMs);
  let measuring = false;
  const look = async () => {
    if (measuring || !isDue(sample)) return;
    measuring = true;
    try {
      const measured = await measure(db);
      if (measured.roundTripMs <= acceptableMs) sample = measured;
    } catch {
      // The database is away: the last offset stays, and the next look tries again.
    } finally {
      measuring = false;
    }
  };
  const timer = setInterval(look, lookEveryMs).unref();
  return { now: () => new Date(performance.now() + sample.offsetMs), stop: () => clearInterval(timer) };
}

function isDue({ takenAtMs, wallOffsetMs }: Sample): boolean {
  const now = performance.now();
  return now - takenAtMs >= resyncEveryMs || Math.abs(Date.now() - now - wallOffsetMs) > maxDriftMs;
}

/** The first that came quickly, or else the quickest. */
async function firstSample(db: Db): Promise<Sample> {
  let best = await measure(db);
  for (let taken = 1; taken < samplesAtStart && best.roundTripMs > maxRoundTripMs; taken += 1) {
    const next = await measure(db);
    if (next.roundTripMs < best.roundTripMs) best = next;
  }
  return best;
}

/** On a connection that is there already: waiting for one is no part of the round trip. */
function measure(db: Db): Promise<Sample> {
  return db.connection().execute(async (reserved) => {
    const before = performance.now();
    const { rows } = await sql<{ ms: number }>`
      select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`.execute(reserved);
    const after = performance.now();
    return {
      offsetMs: rows[0]!.ms - (before + after) / 2,
      roundTripMs: after - before,
      takenAtMs: after,
      wallOffsetMs: Date.now() - after,
    };
  });
}
