import { actorOf, type Caller } from '../accounts/index.ts';
import { inTransaction } from '../platform/database/index.ts';
import { Problem, unprocessable } from '../platform/problem/index.ts';
import { sidesOf } from './access.ts';
import type { ReferralDeps } from './deps.ts';
import { historyActorOf } from './history-actor.ts';
import { lockSeen, type SeenVersion } from './lock-seen.ts';
import { measureErrors } from './measures.ts';
import { moveReferral } from './move-referral.ts';
import { type PresentedReferral, presentReferral } from './present.ts';
import { wrongState } from './problems.ts';
import type { Outcome, StatusReason } from './referral.ts';
import { type Action, actionsFor, rules, sidesThatMay } from './state-machine.ts';

/** What is said with an action; its schema sees to it that everything it needs is there. */
export type ActionBody = { status_reason?: StatusReason; outcome?: Outcome; expected_date?: string };

export type StatusChange = SeenVersion & { address: string; body: ActionBody };

/**
 * Moves a referral to its next state: the change, its history, its audit entry and whatever must be delivered are one
 * transaction.
 * @throws Problem `not-found`, `forbidden` (the other side's action), `version-stale`, `wrong-state`, `unprocessable`.
 */
export async function changeStatus(
  deps: ReferralDeps,
  caller: Caller,
  action: Action,
  { address, body, ...seen }: StatusChange,
): Promise<PresentedReferral> {
  const errors = measureErrors(body.outcome?.measures ?? []);
  if (errors.length > 0) throw new Problem(unprocessable, 'See `errors` for what to change.', { errors });
  const at = deps.clock.now();
  return inTransaction(deps.db, async (trx) => {
    const referral = await lockSeen(trx, caller, seen, sidesThatMay(action));
    if (!actionsFor(referral.status, sidesOf(caller, referral)).includes(action)) {
      const from = Object.keys(rules[action].from).join(' or ');
      throw new Problem(
        wrongState,
        `It is ${referral.status}; for you that is possible only when it is ${from}.`,
      );
    }
    const step = {
      to: rules[action].to,
      reason: body.status_reason ?? null,
      outcome: body.outcome ?? null,
      expectedDate: body.expected_date ?? null,
      at,
    };
    const who = { history: historyActorOf(caller), audit: actorOf(caller, address) };
    const changed = await moveReferral(deps, trx, referral, step, who);
    const told = await deps.referralListener.summaries(trx, [referral.id]);
    return presentReferral(caller, changed, { now: at, told: told.get(referral.id) });
  });
}
