import { actorOf, type Caller } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { createMicroBatcher } from '../../platform/concurrency/micro-batcher.ts';
import { inTransaction, isKnownRollback, type Trx } from '../../platform/database/index.ts';
import { notFound, Problem } from '../../platform/problem/index.ts';
import { sidesOf } from '../model/access/sides.ts';
import type { ReferralDeps } from '../model/deps.ts';
import { findEarlierAnswers } from '../model/idempotency/idempotency.ts';
import { idempotencyLockName } from '../model/idempotency/idempotency-store.ts';
import { duplicateLockNames } from '../model/person/identity/duplicates-store.ts';
import type { PresentedReferral } from '../model/presentation/present.ts';
import { findReferralOrDraft } from '../model/referrals-store.ts';
import { requireUsable } from '../model/status/usable.ts';
import { buildReferrals } from './checks/build-referrals.ts';
import { checkReportedDeaths, lockAgainstDeathReports } from './checks/check-reported-deaths.ts';
import { childLockNames } from './checks/child-decisions-store.ts';
import { nhsNumberLockName } from './checks/other-names-store.ts';
import { refuseDuplicates } from './checks/refuse-duplicates.ts';
import { refuseMismatches } from './checks/refuse-mismatches.ts';
import { refuseOverruledChild } from './checks/refuse-overruled-child.ts';
import {
  type PreparedSubmission,
  prepareSubmission,
  refuseSubmission,
  type Submission,
  type SubmissionInProgress,
  type SubmissionResult,
} from './checks/submissions.ts';
import { answerSubmissions, storeReferrals } from './store-referrals.ts';

/** Where referrals and drafts come in. It lives as long as the process. */
export type ReferralIntake = {
  /**
   * Makes a referral, or a draft of one. When this returns, the referral is stored and will be delivered. When it throws,
   * no referral is stored. A refusal still stores its audit entry and, for an NHS number of somebody else, an attempt
   * (`number-attempts-store.ts`).
   * @throws Problem as `POST /api/referrals` declares; `not-found` for a repeated request by an account that may no longer see the
   * referral.
   */
  submit(submission: Submission): Promise<SubmissionResult>;
};

export type SubmitDeps = ReferralDeps & { readonly referralIntake: ReferralIntake };

/**
 * Submissions that arrive together share one transaction, so that a busy site needs fewer. When the database refuses it
 * because of one submission, each is tried alone.
 */
export function createReferralIntake(deps: ReferralDeps): ReferralIntake {
  // While a batch takes longer than 250 ms, a second one may start beside it, so that one slow submission does not hold up all others.
  const limits = { maxItems: 50, overlapAfterMs: 250, mayRetryAlone: isKnownRollback };
  const batcher = createMicroBatcher(limits, (prepared: readonly PreparedSubmission[]) =>
    inTransaction(deps.db, (trx) => submitTogether(trx, deps, prepared)),
  );
  return {
    async submit(submission) {
      const prepared = prepareSubmission(deps, submission);
      return requireAccepted(await batcher(prepared, batchLockNames(prepared)));
    },
  };
}

/**
 * The names of the locks that the steps take for a submission. Two that share one are not in one batch, because the second must see
 * the result of the first.
 */
function batchLockNames({
  idempotency,
  duplicateCheck,
  referrer,
  input,
  keys,
}: PreparedSubmission): string[] {
  return [
    ...(idempotency ? [idempotencyLockName(idempotency)] : []),
    ...(input.reroutes === undefined ? [] : [input.reroutes]),
    ...(duplicateCheck ? [...childLockNames({ keys, referrer }), ...duplicateLockNames(duplicateCheck)] : []),
    ...(keys.number ? [nhsNumberLockName(keys.number)] : []),
  ];
}

/** The result of a submission after the last step. @throws Problem if a step refused it. */
export function requireAccepted({ decision }: SubmissionInProgress): SubmissionResult {
  if (!decision) throw new Error('a submission was neither accepted nor refused');
  if ('problem' in decision) throw decision.problem;
  return decision;
}

async function submitTogether(
  trx: Trx,
  deps: ReferralDeps,
  prepared: readonly PreparedSubmission[],
): Promise<ReadonlyMap<PreparedSubmission, SubmissionInProgress>> {
  const at = deps.clock.now();
  // Copies: after a rollback, each is tried again from what was prepared.
  const byPrepared = new Map(
    prepared.map((each): [PreparedSubmission, SubmissionInProgress] => [each, { ...each }]),
  );
  const submissions = [...byPrepared.values()];
  await replayIdempotent(trx, deps, submissions, at);
  await checkAndStore(trx, deps, submissions, at);
  return byPrepared;
}

/** Gives a repeated request the answer that it got the first time. */
async function replayIdempotent(
  trx: Trx,
  deps: ReferralDeps,
  submissions: readonly SubmissionInProgress[],
  at: Date,
): Promise<void> {
  const requests = submissions.flatMap(({ idempotency }) => idempotency ?? []);
  const earlierAnswers = await findEarlierAnswers(trx, deps, requests);
  for (const submission of submissions) {
    const earlier = submission.idempotency && earlierAnswers.get(submission.idempotency);
    if (!earlier) continue;
    if (earlier instanceof Problem) {
      submission.decision = { problem: earlier };
      continue;
    }
    try {
      const referral = earlier.answer as PresentedReferral;
      await requireStillReferrer(trx, submission.caller, referral.id);
      await recordAudit(trx, {
        at,
        actor: actorOf(submission.caller, submission.ipAddress),
        action: 'referral.read',
        subject: { type: 'referral', id: referral.id },
      });
      submission.decision = { referral, isReplayed: true };
    } catch (error) {
      refuseSubmission(submission, error);
    }
  }
}

/**
 * An answer is about a person, so only somebody who still refers for the same organisation gets it again. An operator may
 * see the referral, but not what it says.
 */
async function requireStillReferrer(trx: Trx, caller: Caller, id: string): Promise<void> {
  const referral = await findReferralOrDraft(trx, id);
  if (!referral || !sidesOf(caller, referral).includes('referrer')) throw new Problem(notFound);
  requireUsable(referral);
}

/** The steps by which a referral is made, or a draft is sent. */
export async function checkAndStore(
  trx: Trx,
  deps: ReferralDeps,
  submissions: readonly SubmissionInProgress[],
  at: Date,
): Promise<void> {
  await checkSubmissions(trx, deps, submissions, at);
  await storeReferrals(trx, deps, submissions, at);
  await answerSubmissions(trx, deps, submissions, at);
}

/**
 * Everything that is checked before a referral is stored. The steps are in `checks/`. Some take locks, which are held until the transaction
 * ends. All locks of a submission are taken in this order, so that two transactions never wait for each other for good:
 *
 * | where                     | takes the lock of …                                                          |
 * |---------------------------|------------------------------------------------------------------------------|
 * | `replayIdempotent`, before| the keys; another transaction with one of them gets 409, and does not wait   |
 * | drafts.ts, before         | the draft, where one is sent                                                 |
 * | `lockAgainstDeathReports` | the person, shared: reports of their death wait, other new referrals do not  |
 * | `buildReferrals`          | the referrals that are replaced, in the order of their ids                   |
 * | `refuseMismatches`        | the NHS number                                                               |
 * | `refuseOverruledChild`    | the child and the referrer                                                   |
 * | `checkReportedDeaths`     | nothing                                                                      |
 * | `refuseDuplicates`        | the person, the service and the referrer                                     |
 *
 * A report of a death locks the person, and then their referrals that were sent. It never locks a draft, nor the person of one
 * (`lockPersonAndOpenReferrals` in endings/deaths-store.ts).
 */
export async function checkSubmissions(
  trx: Trx,
  deps: ReferralDeps,
  submissions: readonly SubmissionInProgress[],
  at: Date,
): Promise<void> {
  await lockAgainstDeathReports(trx, submissions);
  await buildReferrals(trx, deps, submissions, at);
  await refuseMismatches(trx, deps, submissions, at);
  await refuseOverruledChild(trx, submissions, at);
  await checkReportedDeaths(trx, submissions);
  await refuseDuplicates(trx, submissions);
}
