import { type Db, inTransaction, type Trx } from '../../platform/database/index.ts';
import { addKeyedJob } from '../../platform/jobs/index.ts';
import type { Platform } from '../../platform/platform.ts';
import type { ReferralListener } from '../../referrals/index.ts';
import { deleteFactsOfErased, keepFactsOfErased } from '../facts/erased-store.ts';
import { lockProgress } from '../facts/facts-store.ts';
import { writeFactsAndJourneys } from '../facts/follow-referrals.ts';
import { listMonths } from '../figures/other-counts-store.ts';
import { findPublishedMonths } from './published-store.ts';

/**
 * Before a referral is erased, writes what reports count of it. Otherwise a month that is not published yet would lose the referral’s
 * outcome, and the difference between two reports would reveal it. Of one that should never have been recorded, nothing is kept: it counts
 * by its status and dates alone.
 */
export const reportListener: ReferralListener = {
  async onErasing(trx, referralId, erasing) {
    await lockProgress(trx);
    if (erasing.isUnlawful) return;
    await writeFactsAndJourneys(trx, [referralId]);
    await keepFactsOfErased(trx, referralId, await firstUnpublishedMonth(trx));
  },
};

/** Deletes what was kept of erased referrals, once their months and all earlier ones are published. */
export async function forgetErased({ db }: Pick<Platform, 'db'>): Promise<void> {
  await inTransaction(db, async (trx) => {
    await lockProgress(trx);
    const ids = await deleteFactsOfErased(trx, await firstUnpublishedMonth(trx));
    if (ids.length === 0) return;
    // An erased referral still has its status and dates, so these are counted.
    await writeFactsAndJourneys(trx, ids);
    // Removes the bytes of the deleted rows from the disk.
    await addKeyedJob(trx, 'vacuum-erased', {}, { key: 'vacuum-erased', inSeconds: 60 });
  });
}

/** Facts of later months are kept, too: whether somebody was referred again depends on them. */
async function firstUnpublishedMonth(db: Db | Trx): Promise<string | undefined> {
  const months = await listMonths(db);
  const published = await findPublishedMonths(db, months);
  return months.find((month) => !published.has(month));
}
