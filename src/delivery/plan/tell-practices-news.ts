import { inTransaction, type Trx } from '../../platform/database/index.ts';
import { dayMs } from '../../platform/durations.ts';
import type { Platform } from '../../platform/platform.ts';
import { lockReferrals, mayBeSent, type Referral } from '../../referrals/index.ts';
import { suppressDeliveries } from '../model/deliveries-store.ts';
import { whyNotSent } from '../model/why-not-sent.ts';
import { newDelivery, storeAndQueue } from './deliveries-of-changes.ts';
import { findLatestEndLetter, listPracticeNewsDue, takePracticeNews } from './letters-to-renew-store.ts';
import { planUpdateOfOutcome } from './plan-deliveries.ts';

/** How long we wait after the latest answer or measure, so that one letter has all of them. */
const newsWaitsMs = dayMs;

/**
 * The `tell-practices-news` job: a practice that was told of the end gets an updated letter once the person has said something else on their
 * page, or a measure was added that the letter shows.
 */
export async function tellPracticesNews({ db, clock }: Pick<Platform, 'db' | 'clock'>): Promise<void> {
  const at = clock.now();
  const before = new Date(at.getTime() - newsWaitsMs);
  for (const id of await listPracticeNewsDue(db, before))
    await inTransaction(db, (trx) => tellPractice(trx, id, { before, at }));
}

async function tellPractice(
  trx: Trx,
  referralId: string,
  { before, at }: { before: Date; at: Date },
): Promise<void> {
  const referral = (await lockReferrals(trx, [referralId])).get(referralId);
  if (!referral || !mayBeSent(referral)) return;
  const news = await takePracticeNews(trx, referralId, before);
  if (!news || !(await isNewToPractice(trx, referral, news))) return;
  const planned = planUpdateOfOutcome(referral);
  if (!planned) return;
  const { leg, purpose } = planned;
  // Otherwise, an older letter that still waits would arrive after this one.
  await suppressDeliveries(trx, referralId, { leg, purposes: [purpose], reason: whyNotSent.superseded, at });
  await storeAndQueue(trx, [{ referral, at }], [newDelivery({ referral, at }, planned)]);
}

/** Whether the practice has a letter without this news. A letter that was not tried yet will have the news anyway. */
async function isNewToPractice(
  trx: Trx,
  { id, gp_practice: practice }: Referral,
  { measuredAt }: { measuredAt: Date | null },
): Promise<boolean> {
  const endLetter = practice && (await findLatestEndLetter(trx, id, practice.ods_code));
  if (!endLetter?.triedAt) return false;
  return endLetter.answer !== endLetter.toldAnswer || (measuredAt !== null && measuredAt > endLetter.triedAt);
}
