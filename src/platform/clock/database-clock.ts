import { sql } from 'kysely';
import type { Db } from '../database/index.ts';
import type { Clock } from './index.ts';

const checkEveryMs = 1000;
const resyncEveryMs = 30_000;
/** A slower answer is too inexact, because we do not know when the database read the time. */
const maxRoundTripMs = 200;
const samplesAtStart = 5;
/** If the machine's two clocks drift apart by more, it has slept or its time was set. */
const maxDriftMs = 1000;

export type DatabaseClock = Clock & { stop(): void };

type Sample = { offsetMs: number; roundTripMs: number; takenAtMs: number; wallOffsetMs: number };

/**
 * A clock that shows the database's time without a query each time. Every 30 seconds it measures how far the database's time
 * is from this process's monotonic timer. So processes whose machines disagree by minutes agree on when a token expires, and
 * a jump of a machine's clock changes nothing. The monotonic timer stops while the machine sleeps, so the clock also measures
 * again when the machine's own clock has drifted from it.
 */
export async function startDatabaseClock(db: Db): Promise<DatabaseClock> {
  let sample = await firstSample(db);
  // A database that is always slow to answer is judged by its own best answer.
  const acceptableMs = Math.max(maxRoundTripMs, 2 * sample.roundTripMs);
  let isMeasuring = false;
  const resyncIfDue = async () => {
    if (isMeasuring || !isDue(sample)) return;
    isMeasuring = true;
    try {
      const measured = await measure(db);
      if (measured.roundTripMs <= acceptableMs) sample = measured;
    } catch {
      // The database is unreachable: the last offset stays, and the next check tries again.
    } finally {
      isMeasuring = false;
    }
  };
  const timer = setInterval(resyncIfDue, checkEveryMs).unref();
  return { now: () => new Date(performance.now() + sample.offsetMs), stop: () => clearInterval(timer) };
}

function isDue({ takenAtMs, wallOffsetMs }: Sample): boolean {
  const now = performance.now();
  return now - takenAtMs >= resyncEveryMs || Math.abs(Date.now() - now - wallOffsetMs) > maxDriftMs;
}

/** The first answer that was quick enough, or else the quickest of a few. */
async function firstSample(db: Db): Promise<Sample> {
  let best = await measure(db);
  for (let samples = 1; samples < samplesAtStart && best.roundTripMs > maxRoundTripMs; samples += 1) {
    const next = await measure(db);
    if (next.roundTripMs < best.roundTripMs) best = next;
  }
  return best;
}

/** Reserves the connection first, so that waiting for one does not count. */
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
