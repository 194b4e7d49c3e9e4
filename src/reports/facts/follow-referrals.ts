import { listSensitiveServices } from '../../library/index.ts';
import { inTransaction, type Trx } from '../../platform/database/index.ts';
import { minuteMs } from '../../platform/durations.ts';
import type { Platform } from '../../platform/platform.ts';
import { addUpMonths, fillDays, markAllDaysStale, markDaysStale, setBasis } from './days-store.ts';
import {
  findChanged,
  lockProgress,
  readAgainForDeciles,
  setProgress,
  writeFacts,
  writeJourneys,
  writeLetters,
  writeReferredAgain,
} from './facts-store.ts';

type Deps = Pick<Platform, 'db' | 'clock' | 'settings'>;

const batchSize = 5000;
/** How far each run reads back over the last one: a change has its date before others can see it, because its transaction ends later. */
const overlapMs = 10 * minuteMs;

/**
 * Brings the facts up to date with the referrals, and the counts of days with the facts. The `follow-referrals` job
 * does it too, so that no reader waits long.
 */
export async function followReferrals(deps: Deps): Promise<void> {
  while (!(await followBatch(deps)));
  while (!(await countDays(deps)));
}

/** @returns whether it was the last batch. */
function followBatch({ db, clock }: Deps): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    await lockProgress(trx);
    await readAgainForDeciles(trx);
    // An import of deciles may have set this time back.
    const readUntil = await lockProgress(trx);
    const now = clock.now();
    const since = new Date(readUntil.getTime() - overlapMs);
    const changed = await findChanged(trx, since, batchSize);
    const ids = changed.map(({ id }) => id);
    const isLast = ids.length < batchSize;
    if (ids.length > 0) await writeFactsAndJourneys(trx, ids);
    // The facts of a referral are written with its letters, so that only later changes of letters are left.
    if (isLast) await markDaysStale(trx, await writeLetters(trx, since));
    const last = isLast ? now : changed.at(-1)!.updatedAt;
    await setProgress(trx, last < now ? last : now);
    return isLast;
  });
}

/** Writes what is counted of these referrals and of their journeys. Call `lockProgress` first. */
export async function writeFactsAndJourneys(trx: Trx, ids: readonly string[]): Promise<void> {
  await writeFacts(trx, ids);
  const ofJourneys = await writeJourneys(trx, ids);
  await markDaysStale(trx, [...ids, ...ofJourneys, ...(await writeReferredAgain(trx, ids))]);
}

/** @returns whether every day has its counts. */
function countDays({ db, settings }: Deps): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    await lockProgress(trx);
    const basis = {
      includesSimulated: settings.mode === 'test',
      excludedServices: await listSensitiveServices(trx),
    };
    if (await setBasis(trx, basis)) await markAllDaysStale(trx);
    const isLast = await fillDays(trx, basis);
    if (isLast) await addUpMonths(trx);
    return isLast;
  });
}
