import { type Caller, requireCallerIsPerson } from '../../accounts/index.ts';
import { inRetriedTransaction } from '../../platform/database/index.ts';
import { Problem } from '../../platform/problem/index.ts';
import { historyActorOf } from '../model/actors/authors.ts';
import { endReferral } from '../model/change-status.ts';
import type { ReferralDeps } from '../model/deps.ts';
import { loadAndPresent, type PresentedReferral } from '../model/presentation/present.ts';
import { deathReportInWords } from '../model/presentation/words.ts';
import { wrongState } from '../model/problems.ts';
import type { Referral } from '../model/referral.ts';
import { possibleEnding } from '../model/status/state-machine.ts';
import { lockReferral } from '../model/store.ts';
import { type DeathRequest, lockWithReport, recordDeathAudit, recordDeathEvent } from './death-report.ts';
import { setDeathConfirmed, setDeathReported } from './deaths-store.ts';
/**
 * Ends a referral of a person who has died. The messages that waited are not sent. A colleague from whom the service is hidden gives a
 * reason first.
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
    const { referral, sides, report } = await lockWithReport(deps, trx, caller, { referralId, version }, at);
    const ending = possibleEnding(['cancel', 'reject', 'fail'], referral.status, sides);
    if (report.confirmedAt !== null)
      throw new Problem(
        wrongState,
        `It is ${referral.status}, and somebody confirmed the death before: nothing was done.`,
      );
    await setDeathConfirmed(trx, report.rowId, referral as Referral, { ...historyActorOf(caller), at });
    await setDeathReported(trx, referral.id, null);
    if (!ending) {
      // It ended while the report waited: what the practice has to know of that is sent now.
      await recordDeathEvent(deps, trx, caller, referral as Referral, 'death-confirmed', at);
      await deps.roomsAbove.onDeathHoldLifted(trx, referral.id);
      await recordDeathAudit(trx, caller, { referralId, action: 'referral.death_confirmed', ipAddress, at });
      const confirmed = (await lockReferral(trx, referral.id)) as Referral;
      return loadAndPresent(deps, trx, caller, confirmed, at);
    }
    const reason = { code: 'died', text: deathReportInWords(report) } as const;
    const ended = await endReferral(deps, trx, caller, referral as Referral, {
      ending,
      cause: 'death-reported',
      reason,
      ipAddress,
      at,
    });
    return loadAndPresent(deps, trx, caller, ended, at);
  });
}
