import { type Caller, requireCallerIsPerson } from '../../accounts/index.ts';
import { inRetriedTransaction, type Trx } from '../../platform/database/index.ts';
import { addJobs } from '../../platform/jobs/index.ts';
import { Problem } from '../../platform/problem/index.ts';
import { historyActorOf } from '../model/actors/authors.ts';
import { endReferral } from '../model/change-status.ts';
import type { ReferralDeps } from '../model/deps.ts';
import { loadAndPresent, type PresentedReferral } from '../model/presentation/present.ts';
import { deathReportInWords } from '../model/presentation/words.ts';
import { wrongState } from '../model/problems.ts';
import type { Referral } from '../model/referral.ts';
import { lockReferral } from '../model/referrals-store.ts';
import { possibleEnding } from '../model/status/state-machine.ts';
import { type DeathRequest, lockWithReport, recordDeathAudit, recordDeathEvent } from './death-report.ts';
import { setDeathConfirmed, setDeathReported } from './deaths-store.ts';

/**
 * Confirms a reported death for one referral. If it is open, it ends, and the messages that waited are not sent. If it ended meanwhile, it
 * stays as it is, and they are sent. A colleague from whom the service is hidden gives a reason first.
 * @throws Problem `not-found`, `forbidden`, `needs-person`, `version-stale`, `wrong-state` if nobody reported a death or somebody confirmed it
 * before, `referral-restricted`, `referral-erased`.
 */
export async function confirmDeath(
  deps: ReferralDeps,
  caller: Caller,
  { referralId, version, ipAddress }: DeathRequest,
): Promise<PresentedReferral> {
  requireCallerIsPerson(caller);
  const at = deps.clock.now();
  return inRetriedTransaction(deps.db, async (trx) => {
    const { report, sides, ...locked } = await lockWithReport(trx, deps, caller, { referralId, version }, at);
    const referral = locked.referral as Referral;
    if (report.confirmedAt !== null)
      throw new Problem(
        wrongState,
        `It is ${referral.status}, and somebody confirmed the death before: nothing was done.`,
      );
    await setDeathConfirmed(trx, report.rowId, referral, { ...historyActorOf(caller), at });
    await setDeathReported(trx, referral.id, null);
    // The prompt of the report may be made in this very moment.
    await addJobs(trx, 'update-prompts', [{}]);
    const ending = possibleEnding(['cancel', 'reject', 'fail'], referral.status, sides);
    const changed = ending
      ? await endReferral(trx, deps, caller, referral, {
          ending,
          cause: 'death-reported',
          reason: { code: 'died', text: deathReportInWords(report) },
          ipAddress,
          at,
        })
      : await confirmAfterEnd(trx, deps, caller, referral, { ipAddress, at });
    return loadAndPresent(trx, deps, caller, changed, at);
  });
}

/** The referral ended while the report waited: what the practice has to know of that end is sent now. */
async function confirmAfterEnd(
  trx: Trx,
  deps: ReferralDeps,
  caller: Caller,
  referral: Referral,
  { ipAddress, at }: { ipAddress: string; at: Date },
): Promise<Referral> {
  await recordDeathEvent(trx, deps, caller, referral, 'death-confirmed', at);
  await deps.roomsAbove.onDeathHoldLifted(trx, referral.id);
  await recordDeathAudit(trx, caller, {
    referralId: referral.id,
    action: 'referral.death_confirmed',
    ipAddress,
    at,
  });
  return (await lockReferral(trx, referral.id)) as Referral;
}
