import type { Actor } from '../audit/index.ts';
import type { Trx } from '../platform/database/index.ts';
import type { ReferralDeps } from './deps.ts';
import { requireUsable } from './records/usable.ts';
import type { Action } from './state-machine.ts';
import { lockReferral } from './store.ts';
import { type ActionBody, takeAction } from './take-action.ts';

/**
 * Takes an action for a service that has nobody to do it: on a test site the simulator stands in for its staff.
 * @throws Problem `wrong-state`, `referral-restricted`, `referral-erased`.
 */
export async function answerAsService(
  deps: ReferralDeps,
  trx: Trx,
  referralId: string,
  { action, body }: { action: Action; body: ActionBody },
  actor: Actor,
): Promise<void> {
  const referral = await lockReferral(trx, referralId);
  if (!referral) return;
  requireUsable(referral);
  const taken = { action, body, sides: ['provider'] as const, at: deps.clock.now() };
  const history = { id: null, name: actor.name, organisation: null };
  await takeAction(deps, trx, referral, taken, { history, audit: actor });
}
