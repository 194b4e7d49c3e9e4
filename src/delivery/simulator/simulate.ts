import type { Actor } from '../../audit/index.ts';
import { inTransaction, type Trx } from '../../platform/database/index.ts';
import { addKeyedJob } from '../../platform/jobs/index.ts';
import { Problem } from '../../platform/problem/index.ts';
import { answerAsService, findReferral, type ReferralDeps, tendMoved } from '../../referrals/index.ts';
import { lockDelivery } from '../news-store.ts';
import { noteNews } from '../take-news.ts';
import { watchDeliveries } from '../watch-deliveries.ts';
import { type NewsAct, newsWords } from './act.ts';
import { jobKey } from './plan-steps.ts';
import { type DueStep, endStep, findMovedMs, findOverdue, lockDueStep } from './store.ts';
import { findNextMoment } from './what-is-next.ts';

/** As whom the audit and the history know it. */
const simulator: Actor = { name: 'Simulator' };

/** The `simulate` job: plays what is due of one referral's story, and comes back when the next thing is. */
export async function simulate(deps: ReferralDeps, { referral_id }: { referral_id: string }): Promise<void> {
  if (deps.settings.mode !== 'test') return;
  await playWhatIsDue(deps, referral_id);
  const next = await findNextMoment(deps, referral_id);
  const now = deps.clock.now().getTime();
  const waitsSince = await findOverdue(deps.db, referral_id, new Date(now));
  const pauses = [
    ...(next ? [(next.getTime() - now) / 1000] : []),
    ...(waitsSince ? [pauseAfter((now - waitsSince.getTime()) / 1000)] : []),
  ];
  if (pauses.length === 0) return;
  const inSeconds = Math.min(...pauses);
  await inTransaction(deps.db, (trx) =>
    addKeyedJob(trx, 'simulate', { referral_id }, { key: jobKey(referral_id), inSeconds }),
  );
}

/** News waits for its message to be sent: mostly for less than a second, and longer the longer it has waited already. */
function pauseAfter(seconds: number): number {
  return Math.min(60, Math.max(1, seconds));
}

/** All that is due by now: of the story, and of what the site does about a referral that nobody answers. */
async function playWhatIsDue(deps: ReferralDeps, referralId: string): Promise<void> {
  while (await inTransaction(deps.db, (trx) => playStep(deps, trx, referralId)));
  await watchDeliveries(deps);
  const movedMs = await findMovedMs(deps.db, referralId);
  if (movedMs) await tendMoved(deps, referralId, movedMs);
}

/** Each step is a transaction, so that one which is killed is not half done. @returns whether there was one. */
async function playStep(deps: ReferralDeps, trx: Trx, referralId: string): Promise<boolean> {
  const at = deps.clock.now();
  const step = await lockDueStep(trx, referralId, at);
  if (!step) return false;
  await endStep(trx, step.number, { at, undoneBecause: await play(deps, trx, referralId, step) });
  return true;
}

/** @returns why nothing came of it, if nothing did: somebody may have answered the referral themselves. */
async function play(
  deps: ReferralDeps,
  trx: Trx,
  referralId: string,
  { act, deliveryId }: DueStep,
): Promise<string | null> {
  if ('news' in act) return playNews(deps, trx, deliveryId!, act);
  try {
    await answerAsService(deps, trx, referralId, act, simulator);
    return null;
  } catch (error) {
    if (error instanceof Problem) return `The referral was ${await statusOf(trx, referralId)} by then.`;
    throw error;
  }
}

async function statusOf(trx: Trx, referralId: string): Promise<string> {
  const referral = await findReferral(trx, referralId);
  return referral?.restrictedAt ? 'restricted' : (referral?.status ?? 'erased');
}

async function playNews(
  { clock }: ReferralDeps,
  trx: Trx,
  deliveryId: string,
  { news }: NewsAct,
): Promise<string | null> {
  const delivery = await lockDelivery(trx, deliveryId);
  if (!delivery) return 'There is no such message any more.';
  const changed = await noteNews(trx, delivery, { status: news, detail: newsWords[news] }, clock.now());
  return changed ? null : `The message was ${delivery.status} already.`;
}
