import type { Caller } from '../../accounts/index.ts';
import { inRetriedTransaction } from '../../platform/database/index.ts';
import { lockVersionForSides } from '../model/access/access.ts';
import type { ReferralDeps } from '../model/deps.ts';
import { loadAndPresent } from '../model/presentation/present.ts';
import { lockReferral, lockReferralAndReplaced } from '../model/referrals-store.ts';
import { type Action, sidesAllowed } from '../model/status/state-machine.ts';
import { type ActionRequest, applyActionOfCaller, requireValidActionBody } from './apply-action.ts';
import { endBecauseOfDeath, type ReferralAfterAction } from './end-because-of-death.ts';

/**
 * Takes an action on a referral, from the API or a page. An end with the reason `died` is a report of the death as well. In one
 * transaction, `applyActionOfCaller` checks the action, and `changeStatus` changes the status and all that belongs to it.
 * @throws Problem `not-found`, `forbidden` (the other side’s action), `version-stale`, `wrong-state`, `unprocessable`,
 * `referral-restricted`, `referral-erased`; `needs-person` for the reason `died`.
 */
export async function takeAction(
  deps: ReferralDeps,
  caller: Caller,
  action: Action,
  request: ActionRequest,
): Promise<ReferralAfterAction> {
  if (request.body.status_reason?.code === 'died') return endBecauseOfDeath(deps, caller, action, request);
  const { ipAddress, body, declineFinalAt, ...expectedVersion } = request;
  const at = deps.clock.now();
  requireValidActionBody(body, at);
  const lock = action === 'withdraw-as-error' ? lockReferralAndReplaced : lockReferral;
  return inRetriedTransaction(deps.db, async (trx) => {
    const locked = await lockVersionForSides(trx, caller, expectedVersion, sidesAllowed(action), lock);
    const changed = await applyActionOfCaller(trx, deps, caller, locked, {
      action,
      body,
      ipAddress,
      at,
      ...(declineFinalAt && { declineFinalAt }),
    });
    return loadAndPresent(trx, deps, caller, changed, at);
  });
}

/**
 * Accepts a referral and puts the person on the waiting list, with the reason and the expected date. In one transaction, so that no list
 * shows a person to contact in between.
 * @throws Problem as `takeAction`.
 */
export async function acceptToWaitingList(
  deps: ReferralDeps,
  caller: Caller,
  { ipAddress, body, ...expectedVersion }: ActionRequest,
): Promise<void> {
  const at = deps.clock.now();
  requireValidActionBody(body, at);
  await inRetriedTransaction(deps.db, async (trx) => {
    const locked = await lockVersionForSides(trx, caller, expectedVersion, sidesAllowed('accept'));
    const accepted = await applyActionOfCaller(trx, deps, caller, locked, {
      action: 'accept',
      body: {},
      ipAddress,
      at,
    });
    await applyActionOfCaller(trx, deps, caller, accepted, { action: 'hold', body, ipAddress, at });
  });
}
