import { Problem } from '../../platform/problem/index.ts';
import { notInState, wrongState } from './problems.ts';
import { type Draft, isSent, openStatuses, type Referral, type ReferralStatus } from './referral.ts';

/** What somebody is told who tries something that is possible in these statuses alone. */
export function wrongStatus(
  status: ReferralStatus | 'draft',
  possible: readonly string[],
  { forYou = false, instead = '' } = {},
): Problem {
  const that = forYou ? 'for you that' : 'that';
  return new Problem(wrongState, `${notInState(status, possible, that)}${instead}`);
}

/** @throws Problem `wrong-state`, with what to do `instead`. */
export function requireOpen(referral: Referral | Draft, instead = ''): Referral {
  if (isSent(referral) && openStatuses.includes(referral.status)) return referral;
  throw wrongStatus(referral.status, openStatuses, { instead });
}
