import { listSensitiveServices } from '../../library/index.ts';
import { inTransaction, type Trx } from '../../platform/database/index.ts';
import { minuteMs } from '../../platform/durations.ts';
import type { Platform } from '../../platform/platform.ts';
import { addUpMonths, fillDays, markAllDaysStale, markDaysStale, setBasis } from './days-store.ts';
import {
  listChangedReferrals,
  listPeopleOfFacts,
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
/** Each run reads this much of the previous one again: a change has its time from when it was made, but others see it only later. */
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
    const referrals = await listChangedReferrals(trx, since, batchSize);
    const ids = referrals.map(({ id }) => id);
    const isLast = ids.length < batchSize;
    if (ids.length > 0) await writeFactsAndJourneys(trx, ids);
    // The facts of these referrals have their letters already. Letters also change without their referral.
    if (isLast) await markDaysStale(trx, await writeLetters(trx, since));
    const lastChange = isLast ? now : referrals.at(-1)!.updatedAt;
    await setProgress(trx, lastChange < now ? lastChange : now);
    return isLast;
  });
}

/** Writes what is counted of these referrals and of their journeys. Call `lockProgress` first. */
export async function writeFactsAndJourneys(trx: Trx, ids: readonly string[]): Promise<void> {
  const formerPeople = await listPeopleOfFacts(trx, ids);
  await writeFacts(trx, ids);
  const journeyIds = await writeJourneys(trx, ids);
  const referredAgainIds = await writeReferredAgain(trx, ids, formerPeople);
  await markDaysStale(trx, [...ids, ...journeyIds, ...referredAgainIds]);
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
