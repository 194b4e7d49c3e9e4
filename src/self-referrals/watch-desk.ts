import { inTransaction, type Trx } from '../platform/database/index.ts';
import type { Platform } from '../platform/platform.ts';
import { lockDesk, setToldClosedAt } from './desk-store.ts';
import { mailDesk, mailDeskAndOperators } from './mail-desk.ts';
import { type Desk, deskState, maxCrisisWaitHours, maxWaitDays, overdueSince } from './model.ts';
import { markOverdue } from './self-referrals-store.ts';

/**
 * The `watch-self-referrals` job: emails the owner and the deputy when nobody has rung a person in time. It emails the operators too if that
 * person may be in a crisis, and when self-referral closes by itself. It reports each of these once, and names nobody.
 */
export async function watchSelfReferrals(deps: Platform): Promise<void> {
  const at = deps.clock.now();
  const { baseUrl } = deps.settings;
  await inTransaction(deps.db, async (trx) => {
    const desk = await lockDesk(trx);
    if (!desk) return;
    const { count: overdue, inCrisis } = await markOverdue(trx, overdueSince(at), at);
    if (inCrisis > 0) await mailAboutCrisis(trx, deps, desk, inCrisis);
    if (overdue > inCrisis)
      await mailDesk(trx, deps, desk, 'reminder', {
        subject: 'People are waiting for your call',
        paragraphs: [
          `People who referred themselves and have not been rung by the day that the page gave them, or have heard nothing for ${maxWaitDays} days: ${overdue - inCrisis}.`,
          `Ring them, or settle what is done:\n\n${baseUrl}/self-referrals`,
        ],
      });
    const state = deskState(desk, deps.settings, at);
    if (state === 'open' && desk.toldClosedAt) await setToldClosedAt(trx, null);
    if (state === 'open' || state === 'off' || desk.toldClosedAt || !deps.settings.selfReferral) return;
    await mailDeskAndOperators(trx, deps, desk, 'reminder', {
      subject: 'Nobody can refer themselves now',
      paragraphs: [
        `The page on which people refer themselves has closed by itself: ${closedBecause[state]}. It opens again once this is resolved.`,
        unsettledInWords(desk),
        `For link workers:\n\n${baseUrl}/self-referrals`,
        `For operators:\n\n${baseUrl}/operator/self-referrals`,
      ],
    });
    await setToldClosedAt(trx, at);
  });
}

/** Operators get it too: the owner and the deputy were told hours ago, and nobody has spoken to the person. */
async function mailAboutCrisis(trx: Trx, deps: Platform, desk: Desk, count: number): Promise<void> {
  await mailDeskAndOperators(trx, deps, desk, 'reminder', {
    subject: 'Urgent: nobody has spoken to somebody who may be in a crisis',
    paragraphs: [
      `People who may be in a crisis have referred themselves, and nobody has spoken to them: ${count}. Nobody has rung them for ${maxCrisisWaitHours} hours.`,
      `Open each now, ring as soon as it says that it is safe, and note the call. If you cannot reach them and fear for their life, call 999:\n\n${deps.settings.baseUrl}/self-referrals`,
      `Operators make sure that ${desk.owner.name} or ${desk.deputy.name} does so now, or name somebody else:\n\n${deps.settings.baseUrl}/operator/self-referrals`,
    ],
  });
}

/** How many are not settled: somebody has to ring these people, although nobody new can come. */
function unsettledInWords({ unsettledCount, crisisCount }: Desk): string {
  if (unsettledCount === 0) return 'All self-referrals are settled.';
  const unsettled = `Self-referrals that are not settled: ${unsettledCount}.`;
  if (crisisCount === 0) return unsettled;
  return `${unsettled} People who may be in a crisis, and to whom nobody has spoken: ${crisisCount}. Make sure that somebody rings them as soon as it is safe.`;
}

const closedBecause = {
  'on-leave':
    'the owner and the deputy are both on leave, or both will be soon. Operators can name somebody else',
  'waited-too-long': `somebody has waited for more than ${maxWaitDays} days without a call`,
  full: 'too many self-referrals are not settled',
  understaffed: 'the owner or the deputy can no longer sign in, or make referrals',
} as const;
