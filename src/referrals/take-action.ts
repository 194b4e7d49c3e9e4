import type { Trx } from '../platform/database/index.ts';
import { Problem } from '../platform/problem/index.ts';
import type { ReferralDeps } from './deps.ts';
import { type Mover, moveReferral } from './move-referral.ts';
import { wrongState } from './problems.ts';
import type { Draft, Outcome, Referral, StatusReason } from './referral.ts';
import { type Action, rules, type Side } from './state-machine.ts';

/** What is said with an action; its schema sees to it that everything it needs is there. */
export type ActionBody = { status_reason?: StatusReason; outcome?: Outcome; expected_date?: string };

/**
 * Takes an action on a locked referral, for somebody who stands on these sides of it.
 * @throws Problem `wrong-state`
 */
export async function takeAction(
  deps: Pick<ReferralDeps, 'referralListener'>,
  trx: Trx,
  referral: Referral | Draft,
  taken: { action: Action; body: ActionBody; sides: readonly Side[]; at: Date },
  who: Omit<Mover, 'by'>,
): Promise<Referral | Draft> {
  const { action, body, sides, at } = taken;
  const { to, from } = rules[action];
  // Somebody on both sides acts for the service wherever both may.
  const by = from[referral.status]?.find((side) => sides.includes(side));
  if (!by) {
    const theirs = Object.entries(from).filter(([, may]) => may.some((side) => sides.includes(side)));
    const states = theirs.map(([status]) => status).join(' or ');
    throw new Problem(
      wrongState,
      `It is ${referral.status}; for you that is possible only when it is ${states}.`,
    );
  }
  const step = {
    to,
    reason: body.status_reason ?? null,
    outcome: body.outcome ?? null,
    expectedDate: body.expected_date ?? null,
    at,
  };
  return moveReferral(deps, trx, referral, step, { by, ...who });
}
