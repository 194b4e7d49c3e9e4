import type { Caller } from '../../accounts/index.ts';
import { inRetriedTransaction, type Trx } from '../../platform/database/index.ts';
import { minuteMs } from '../../platform/durations.ts';
import { Problem } from '../../platform/problem/index.ts';
import { lockPersonOfReferral } from '../endings/deaths-store.ts';
import { checkDeathBeforeReopening } from '../endings/reported-deaths.ts';
import { authorise, type ExpectedVersion, lockSentVersionForSides } from '../model/access/access.ts';
import type { ReferralDeps } from '../model/deps.ts';
import { wrongState } from '../model/problems.ts';
import type { Draft, Referral } from '../model/referral.ts';
import { listDeclinesToFinalise, lockReferrals, markDeclinesFinal } from '../model/referrals-store.ts';
import { reopenReferral } from '../model/reopen.ts';

/** How long staff of the service can take back a decline that they made on a page. The practice and the person are told only then. */
export const takeBackTimeMs = 10 * minuteMs;

/** Until when staff of the service can take back their decline; null if they cannot. What the referrer has done since stays done. */
export function declineCanBeTakenBackUntil(referral: Referral | Draft, now: Date): Date | null {
  const { status, declineFinalAt, rerouted_to, referred_again, resolvedAt, deathReportedAt } = referral;
  if (status !== 'rejected' || declineFinalAt === null || declineFinalAt <= now) return null;
  return rerouted_to || referred_again || resolvedAt || deathReportedAt ? null : declineFinalAt;
}

/**
 * Staff of the service take back a decline, such as one of the wrong reason or person. The referral waits for an answer again, and the
 * referrer is told. The letter to the practice has not been sent, and now it never is. The API’s `undoDecline` is another action: by it the
 * referrer says that a decline by link was a mistake (`undoEnding` in `progress/check-ending.ts`).
 * @throws Problem `not-found`, `forbidden` for the referrer, `version-stale`, `wrong-state` if it is too late, or the person is said to have died.
 */
export async function takeBackDecline(
  deps: ReferralDeps,
  caller: Caller,
  { ipAddress, ...expected }: ExpectedVersion & { ipAddress: string },
): Promise<void> {
  const at = deps.clock.now();
  await inRetriedTransaction(deps.db, async (trx) => {
    await authorise(trx, caller, expected.referralId, at);
    await lockPersonOfReferral(trx, expected.referralId);
    const referral = await lockSentVersionForSides(trx, caller, expected, ['provider']);
    if (!declineCanBeTakenBackUntil(referral, at)) throw tooLateProblem();
    await checkDeathBeforeReopening(trx, deps, caller, referral);
    await reopenReferral(trx, deps, caller, referral, {
      before: { status: 'requested', reason: null, expectedDate: null, nextDate: null },
      by: 'provider',
      action: 'referral.decline_undone',
      ipAddress,
      at,
    });
  });
}

function tooLateProblem(): Problem {
  return new Problem(
    wrongState,
    'A decline can be taken back for 10 minutes, and not once the referrer has acted on it.',
  );
}

/** Makes declines final once they can no longer be taken back, and locks their referrals: at most 200 at a time. The rest follow a minute later. */
export async function finaliseDeclines(trx: Trx, at: Date): Promise<Referral[]> {
  const due = await lockReferrals(trx, await listDeclinesToFinalise(trx, at));
  // One of them may have been taken back just before the lock.
  const final = [...due.values()].filter(({ declineFinalAt }) => declineFinalAt && declineFinalAt <= at);
  await markDeclinesFinal(
    trx,
    final.map(({ id }) => id),
  );
  return final;
}
