import { mailOperators } from '../../accounts/index.ts';
import type { Trx } from '../../platform/database/index.ts';
import type { ReferralDeps } from '../model/deps.ts';
import type { Referral } from '../model/referral.ts';

type Deps = Pick<ReferralDeps, 'settings'> & Parameters<typeof mailOperators>[1];

/** Another organisation's report of a death stops these referrals. A false one stops help for somebody who may be in danger. */
export async function tellOperatorsOfStoppedReferrals(
  trx: Trx,
  deps: Deps,
  stopped: readonly Referral[],
): Promise<void> {
  const isUrgent = stopped.some(({ urgency }) => urgency === 'urgent');
  await mailOperators(trx, deps, 'news', {
    subject: `${isUrgent ? 'Urgent: a' : 'A'} reported death has stopped referrals of other organisations: ${stopped.length}`,
    paragraphs: [
      'An organisation reported that a person has died. The same person has these referrals, in which that organisation has no part. Nothing is sent about them, and the service cannot accept them:',
      linksTo(deps, stopped),
      'Please find out today whether it is true. The audit of each says who reported it. If the person is alive, say so on one of these pages: all of the person’s referrals then go on.',
      'Staff of each referral can also say that the person is alive, for their own. Do not tell the organisation that reported it where the person gets help.',
    ],
  });
}

/** An organisation that took a report back makes another. These referrals go on until an operator knows more. */
export async function tellOperatorsOfRepeatedReport(
  trx: Trx,
  deps: Deps,
  untouched: readonly Referral[],
): Promise<void> {
  await mailOperators(trx, deps, 'news', {
    subject: 'A death is reported again, after it was said that the person is alive',
    paragraphs: [
      'An organisation reported that a person has died. It did so before, and that was taken back. Its own referrals of the person wait. These of other organisations go on:',
      linksTo(deps, untouched),
      'Please find out today whether it is true: ask the GP practice, or staff of these referrals. If the person has died, say so on one of these pages. If not, say there that you have dealt with it.',
      'Do not tell the organisation that reported it where the person gets help.',
    ],
  });
}

/** Staff say that the person is alive: the report was false, or somebody mixed two people up. */
export async function tellOperatorsOfPersonAlive(
  trx: Trx,
  deps: Deps,
  resumed: readonly Referral[],
): Promise<void> {
  await mailOperators(trx, deps, 'news', {
    subject: 'A person who was reported as having died is said to be alive',
    paragraphs: [
      'Staff say of these referrals that the person is alive. They go on:',
      linksTo(deps, resumed),
      'Referrals of the person at other organisations still wait. Please find out who is right, and ask the organisation that reported the death why it did. Do not tell it where the person gets help.',
    ],
  });
}

function linksTo({ settings }: Deps, referrals: readonly Referral[]): string {
  return referrals.map(({ id }) => `${settings.baseUrl}/referrals/${id}`).join('\n');
}
