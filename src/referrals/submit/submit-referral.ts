import { actorOf, type Caller } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { inTransaction, isKnownRollback, type Trx } from '../../platform/database/index.ts';
import { createMicroBatcher } from '../../platform/micro-batcher.ts';
import { notFound, Problem } from '../../platform/problem/index.ts';
import { sidesOf } from '../model/access.ts';
import type { ReferralDeps } from '../model/deps.ts';
import { lockNamesOf } from '../model/duplicates-store.ts';
import { findEarlierAnswers, keyedRequest } from '../model/idempotency.ts';
import { patientKeys, withCompactNumber } from '../model/patient.ts';
import type { PresentedReferral } from '../model/present.ts';
import { requireUsable } from '../model/referral.ts';
import { isDraft } from '../model/schemas/new-referral.ts';
import { findReferralOrDraft } from '../model/store.ts';
import {
  duplicateCheckOf,
  type PreparedSubmission,
  refuse,
  type Submission,
  type SubmissionInProgress,
} from './entry.ts';
import { refuseDuplicates } from './refuse-duplicates.ts';
import { present, store } from './store-referrals.ts';
import { validate } from './validate.ts';

/** Where referrals and drafts come in. It lives as long as the process. */
export type ReferralIntake = {
  /**
   * Makes a referral, or a draft of one. When this returns, the referral is stored and will be delivered; when it throws,
   * nothing was stored.
   * @throws Problem `cannot-refer`, `possible-duplicate`, `idempotency-key-reused`, `still-in-progress`; `not-found` for a
   * repeated request by an account that may no longer see the referral.
   */
  submit(submission: Submission): Promise<PresentedReferral>;
};

export type SubmitDeps = ReferralDeps & { readonly referralIntake: ReferralIntake };

/**
 * Submissions that arrive together share one transaction, so that a busy site needs fewer. When the database refuses it
 * because of one submission, each is tried alone.
 */
export function createReferralIntake(deps: ReferralDeps): ReferralIntake {
  const limits = { maxItems: 50, overlapAfterMs: 250, mayRetryAlone: isKnownRollback };
  const batcher = createMicroBatcher(limits, (submissions: readonly PreparedSubmission[]) =>
    inTransaction(deps.db, (trx) => submitTogether(deps, trx, submissions)),
  );
  return {
    async submit(submission) {
      const prepared = prepare(deps, submission);
      const { outcome } = await batcher(prepared, exclusiveNames(prepared));
      if ('problem' in outcome!) throw outcome.problem;
      return outcome!.referral;
    },
  };
}

function prepare({ secrets }: ReferralDeps, submission: Submission): PreparedSubmission {
  const { caller, input, idempotencyKey } = submission;
  const keys = patientKeys(secrets, withCompactNumber(input.patient ?? {}));
  return {
    ...submission,
    idempotency: keyedRequest({ secrets }, caller.accountId, idempotencyKey, input),
    keys,
    duplicateCheck: isDraft(input)
      ? undefined
      : duplicateCheckOf(caller, keys, input.service_id, input.allow_duplicate),
  };
}

/** What no two submissions of a batch may share, because the second must see what became of the first. */
function exclusiveNames({ idempotency, duplicateCheck, input }: PreparedSubmission): string[] {
  return [
    ...(idempotency ? [`${idempotency.accountId} ${idempotency.key}`] : []),
    ...(input.reroutes === undefined ? [] : [input.reroutes]),
    ...(duplicateCheck ? lockNamesOf(duplicateCheck) : []),
  ];
}

/** The steps of `POST /api/referrals`. Each step leaves alone the entries that have an outcome already. */
async function submitTogether(
  deps: ReferralDeps,
  trx: Trx,
  submissions: readonly PreparedSubmission[],
): Promise<ReadonlyMap<PreparedSubmission, SubmissionInProgress>> {
  const at = deps.clock.now();
  const bySubmission = new Map(
    submissions.map((submission): [PreparedSubmission, SubmissionInProgress] => [
      submission,
      { ...submission },
    ]),
  );
  const entries = [...bySubmission.values()];
  await replayIdempotent(deps, trx, entries, at);
  await validate(deps, trx, entries, at);
  await refuseDuplicates(trx, entries);
  await store(deps, trx, entries, at);
  await present(deps, trx, entries, at);
  return bySubmission;
}

/** Gives a repeated request the answer that it got the first time. */
async function replayIdempotent(
  deps: ReferralDeps,
  trx: Trx,
  entries: readonly SubmissionInProgress[],
  at: Date,
): Promise<void> {
  const requests = entries.flatMap(({ idempotency }) => idempotency ?? []);
  const earlierAnswers = await findEarlierAnswers(deps, trx, requests);
  for (const entry of entries) {
    const earlier = entry.idempotency && earlierAnswers.get(entry.idempotency);
    if (!earlier) continue;
    try {
      if (earlier instanceof Problem) throw earlier;
      const referral = earlier.answer as PresentedReferral;
      await requireStillReferrer(trx, entry.caller, referral.id);
      await recordAudit(trx, {
        at,
        actor: actorOf(entry.caller, entry.ipAddress),
        action: 'referral.read',
        subject: { type: 'referral', id: referral.id },
      });
      entry.outcome = { referral };
    } catch (error) {
      refuse(entry, error);
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
