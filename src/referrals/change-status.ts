import { actorOf, type Caller } from '../accounts/index.ts';
import { inTransaction } from '../platform/database/index.ts';
import { Problem, unprocessable } from '../platform/problem/index.ts';
import { sidesOf } from './access.ts';
import { answerProblems } from './check-answer.ts';
import type { ReferralDeps } from './deps.ts';
import { historyActorOf } from './history-actor.ts';
import { lockSeen, type SeenVersion } from './lock-seen.ts';
import { type PresentedReferral, presentReferral } from './present.ts';
import { type Action, sidesThatMay } from './state-machine.ts';
import { type ActionBody, takeAction } from './take-action.ts';

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
  const at = deps.clock.now();
  const errors = answerProblems(body, at);
  if (errors.length > 0) throw new Problem(unprocessable, 'See `errors` for what to change.', { errors });
  return inTransaction(deps.db, async (trx) => {
    const referral = await lockSeen(trx, caller, seen, sidesThatMay(action));
    const taken = { action, body, sides: sidesOf(caller, referral), at };
    const who = { history: historyActorOf(caller), audit: actorOf(caller, address) };
    const changed = await takeAction(deps, trx, referral, taken, who);
    const told = await deps.referralListener.summaries(trx, [referral.id]);
    return presentReferral(caller, changed, { now: at, told: told.get(referral.id) });
  });
}
