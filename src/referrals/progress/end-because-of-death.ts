import { type Caller, requireCallerIsPerson } from '../../accounts/index.ts';
import { inRetriedTransaction } from '../../platform/database/index.ts';
import { addJobs } from '../../platform/jobs/index.ts';
import {
  findReportRow,
  lockPersonAndOpenReferrals,
  setDeathConfirmed,
  setDeathReported,
} from '../endings/deaths-store.ts';
import { presentToConfirm, type ReferralToConfirm } from '../endings/others-to-confirm.ts';
import { markDeathReported, toConfirmBy } from '../endings/report-death.ts';
import { authorise, lockVersionForSides } from '../model/access/access.ts';
import { historyActorOf } from '../model/actors/authors.ts';
import type { ReferralDeps } from '../model/deps.ts';
import { loadAndPresent, type PresentedReferral } from '../model/presentation/present.ts';
import type { Referral } from '../model/referral.ts';
import { lockReferral } from '../model/referrals-store.ts';
import {
  type Action,
  requireAllowedWhileDeathReported,
  sidesAllowed,
} from '../model/status/state-machine.ts';
import { type ActionRequest, applyActionOfCaller, requireValidActionBody } from './apply-action.ts';

/** A referral after an action. If it ended because the person has died, with their other open referrals. */
export type ReferralAfterAction = PresentedReferral & { to_confirm?: ReferralToConfirm[] };

/**
 * Ends a referral because the person has died: reports the death on all their open referrals, and confirms it for this one. It can be
 * taken back, and nothing is sent about the others until somebody has confirmed the death for them, too.
 * @throws Problem `not-found`, `forbidden`, `needs-person`, `version-stale`, `wrong-state`, `unprocessable`, `referral-restricted`,
 * `referral-erased`.
 */
export async function endBecauseOfDeath(
  deps: ReferralDeps,
  caller: Caller,
  action: Action,
  { ipAddress, body, ...expected }: ActionRequest,
): Promise<ReferralAfterAction> {
  requireCallerIsPerson(caller);
  const at = deps.clock.now();
  requireValidActionBody(body, at);
  return inRetriedTransaction(deps.db, async (trx) => {
    const { referral: found } = await authorise(trx, caller, expected.referralId, at);
    const open = await lockPersonAndOpenReferrals(trx, found);
    const locked = await lockVersionForSides(trx, caller, expected, sidesAllowed(action));
    requireAllowedWhileDeathReported(locked, action, 'died');
    const toldBy = [caller.name, caller.organisation?.name].filter(Boolean).join(', ');
    await markDeathReported(trx, deps, caller, open, { toldBy, date: null, ipAddress, at });
    const report = await findReportRow(trx, locked.id);
    if (report) {
      await setDeathConfirmed(trx, report.rowId, locked as Referral, { ...historyActorOf(caller), at });
      await setDeathReported(trx, locked.id, null);
      // The prompt of the report may be made in this very moment.
      await addJobs(trx, 'update-prompts', [{}]);
    }
    const confirmed = (await lockReferral(trx, locked.id))!;
    const ended = await applyActionOfCaller(trx, deps, caller, confirmed, { action, body, ipAddress, at });
    const others = open.filter(({ id }) => id !== ended.id);
    return {
      ...(await loadAndPresent(trx, deps, caller, ended, at)),
      to_confirm: toConfirmBy(caller, others).map(presentToConfirm),
    };
  });
}
