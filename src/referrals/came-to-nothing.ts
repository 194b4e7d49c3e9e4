import { Problem } from '../platform/problem/index.ts';
import { wrongState } from './problems.ts';
import type { ReferralStatus } from './referral.ts';
import { reroutable } from './state-machine.ts';

type Standing = { status: ReferralStatus; requested_at: unknown };

/** Whether it was sent and came to nothing, so that its makers are to help the person in another way. */
export function cameToNothing({ status, requested_at }: Standing): boolean {
  return reroutable.includes(status) && requested_at !== null;
}

/** @throws Problem `wrong-state` for every other one. */
export function requireCameToNothing(referral: Standing): void {
  if (cameToNothing(referral)) return;
  const states = reroutable.join(' or ');
  throw new Problem(wrongState, `It is ${referral.status}; that is possible only when it is ${states}.`);
}
