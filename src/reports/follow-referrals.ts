import { inTransaction } from '../platform/database/index.ts';
import { minuteMs } from '../platform/durations.ts';
import type { Platform } from '../platform/platform.ts';
import { findChanged, lockProgress, setProgress, writeFacts, writeJourneys } from './facts-store.ts';

const batchSize = 5000;
/** A change is dated before it can be seen, because its transaction ends later. */
const overlapMs = 10 * minuteMs;

/** Brings the facts up to date with the referrals. The `follow-referrals` job does it too, so that no reader waits long. */
export async function followReferrals(deps: Pick<Platform, 'db' | 'clock'>): Promise<void> {
  while (!(await followBatch(deps)));
}

/** @returns whether it was the last batch. */
function followBatch({ db, clock }: Pick<Platform, 'db' | 'clock'>): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    const readUntil = await lockProgress(trx);
    const now = clock.now();
    const changed = await findChanged(trx, new Date(readUntil.getTime() - overlapMs), batchSize);
    const ids = changed.map(({ id }) => id);
    if (ids.length > 0) {
      await writeFacts(trx, ids);
      await writeJourneys(trx, ids);
    }
    const last = ids.length < batchSize ? now : changed.at(-1)!.updatedAt;
    await setProgress(trx, last < now ? last : now);
    return ids.length < batchSize;
  });
}
