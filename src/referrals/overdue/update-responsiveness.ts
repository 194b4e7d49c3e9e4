import { replaceResponsiveness } from '../../library/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import type { ReferralDeps } from '../model/deps.ts';
import { addDaysOf24Hours } from '../model/due/dates.ts';
import { measureResponsiveness } from './responsiveness-store.ts';

/**
 * The `update-responsiveness` job: measures how services answer, from the referrals of a year, and gives the result
 * to the library, which does not import referrals.
 */
export async function updateResponsiveness({ db, clock }: ReferralDeps): Promise<void> {
  const now = clock.now();
  const since = { year: addDaysOf24Hours(now, -365), ninetyDays: addDaysOf24Hours(now, -90) };
  await inTransaction(db, async (trx) => {
    await replaceResponsiveness(trx, await measureResponsiveness(trx, since));
  });
}
