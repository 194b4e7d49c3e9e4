import { replaceResponsiveness } from '../library/index.ts';
import { inTransaction } from '../platform/database/index.ts';
import type { ReferralDeps } from './deps.ts';
import { daysAfter } from './due-date.ts';
import { measureResponsiveness } from './responsiveness-store.ts';

/**
 * The `tend-responsiveness` job: tells the library how services answer, anew from the referrals of a year. The library
 * does not know referrals, so it is told through its door.
 */
export async function tendResponsiveness({ db, clock }: ReferralDeps): Promise<void> {
  const now = clock.now();
  const since = { year: daysAfter(now, -365), ninetyDays: daysAfter(now, -90) };
  await inTransaction(db, async (trx) => {
    await replaceResponsiveness(trx, await measureResponsiveness(trx, since));
  });
}
