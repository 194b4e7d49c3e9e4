import { type Db, inTransaction, type Trx } from '../../platform/database/index.ts';
import { addKeyedJob } from '../../platform/jobs/index.ts';
import type { Platform } from '../../platform/platform.ts';
import type { RoomsAbove } from '../../referrals/index.ts';
import { deleteKept, markErased } from '../facts/erased-store.ts';
import { lockProgress } from '../facts/facts-store.ts';
import { writeFactsOf } from '../facts/follow-referrals.ts';
import { listMonths } from '../figures/cohort-counts-store.ts';
import { findPublished } from './published-store.ts';

/**
 * Before a referral is erased, writes what reports count of it. A month that is not published yet would otherwise lose its outcome, and
 * the difference to an earlier report would tell what it was. No row is left that reports do not need.
 */
export function withReports(inner: RoomsAbove): RoomsAbove {
  return {
    ...inner,
    async onErasing(trx, referralId) {
      await inner.onErasing(trx, referralId);
      await lockProgress(trx);
      await writeFactsOf(trx, [referralId]);
      await markErased(trx, referralId, await firstUnpublishedMonth(trx));
    },
  };
}

/** Forgets what was kept of erased referrals, once their months and all earlier ones are published. */
export async function forgetErased({ db }: Pick<Platform, 'db'>): Promise<void> {
  await inTransaction(db, async (trx) => {
    await lockProgress(trx);
    const ids = await deleteKept(trx, await firstUnpublishedMonth(trx));
    if (ids.length === 0) return;
    // What is left of them: their status and dates.
    await writeFactsOf(trx, ids);
    // The bytes of the deleted rows go, too.
    await addKeyedJob(trx, 'vacuum-erased', {}, { key: 'vacuum-erased', inSeconds: 60 });
  });
}

/** Earlier months count, too: where a journey that began in one stands, and who was referred again, depend on later referrals. */
async function firstUnpublishedMonth(db: Db | Trx): Promise<string | undefined> {
  const months = await listMonths(db);
  const published = await findPublished(db, months);
  return months.find((month) => !published.has(month));
}
