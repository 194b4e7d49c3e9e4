import type { Caller } from '../../../accounts/index.ts';
import { Problem } from '../../../platform/problem/index.ts';
import type { ReferralDeps } from '../../model/deps.ts';
import { type KeyedRequest, keyedRequest } from '../../model/idempotency/idempotency.ts';
import type { DeathWarning } from '../../model/person/death/death-warnings-store.ts';
import type { PatientAtService } from '../../model/person/identity/duplicates-store.ts';
import { withCompactNumber } from '../../model/person/identity/nhs-number.ts';
import { type PatientKeys, patientKeys } from '../../model/person/identity/patient.ts';
import type { PresentedReferral } from '../../model/presentation/present.ts';
import type { Draft, Referral } from '../../model/referral.ts';
import { isDraft, type NewDraft, type NewReferral } from '../../model/schemas/new-referral.ts';

/** A request to make a referral, or a draft of one. */
export type Submission = {
  readonly caller: Caller;
  readonly input: NewReferral | NewDraft;
  readonly ipAddress: string;
  /** Makes it safe to send the request again: it gets the same answer. */
  readonly idempotencyKey?: string | undefined;
};

/** The referral that was made, now or by an earlier request with the same key. */
export type SubmissionResult = { referral: PresentedReferral; isReplayed: boolean };

/** Somebody who is about to be referred, and whether a second referral is meant. */
type DuplicateCheck = PatientAtService & { readonly allowDuplicate: boolean };

/** A submission with the keys by which its steps look things up. */
export type PreparedSubmission = Submission & {
  readonly idempotency: KeyedRequest | undefined;
  readonly keys: PatientKeys;
  readonly referrer: PatientAtService['referrer'];
  /** It is kept as a draft, and not sent. A person may have several drafts, also with a wrong number. */
  readonly isDraft: boolean;
  /** Undefined for a draft. */
  readonly duplicateCheck: DuplicateCheck | undefined;
};

/**
 * A submission while the steps of submit-referral.ts work on it. They set the fields that are not `readonly`, and skip a submission that
 * has a `decision`. A step refuses by setting `decision` to a problem. It throws none, because other submissions share the transaction.
 */
export type SubmissionInProgress = PreparedSubmission & {
  /** The draft that is being sent. Without it the referral is new. */
  readonly draft?: Draft;
  /** True from the pages: an area that the service describes in text is checked as well. Client systems are not refused for one. */
  readonly checksAreaText?: boolean | undefined;
  /** What will be stored, if no step refuses it. */
  referral?: Referral | Draft;
  /** Another organisation was told that the person has died. */
  deathWarning?: DeathWarning;
  /** The referral, once it is stored or found by the key of an earlier request; or why it is refused. */
  decision?: SubmissionResult | { problem: Problem };
};

export type BuiltSubmission = SubmissionInProgress & { referral: Referral | Draft };

/** Adds the keys to a submission. */
export function prepareSubmission(
  { secrets }: Pick<ReferralDeps, 'secrets'>,
  submission: Submission,
): PreparedSubmission {
  const { caller, input, idempotencyKey } = submission;
  const keys = patientKeys(secrets, withCompactNumber(input.patient ?? {}));
  const referrer = { organisationId: caller.organisation?.id ?? null, accountId: caller.accountId };
  const prepared = {
    ...submission,
    idempotency: keyedRequest({ secrets }, caller.accountId, idempotencyKey, input),
    keys,
    referrer,
  };
  if (isDraft(input)) return { ...prepared, isDraft: true, duplicateCheck: undefined };
  const { service_id: serviceId, allow_duplicate: allowDuplicate = false } = input;
  return { ...prepared, isDraft: false, duplicateCheck: { ...keys, serviceId, referrer, allowDuplicate } };
}

/** The submissions that no step has accepted or refused yet. */
export function undecidedSubmissions(submissions: readonly SubmissionInProgress[]): SubmissionInProgress[] {
  return submissions.filter(({ decision }) => decision === undefined);
}

/** The undecided submissions whose referral is built already. */
export function builtSubmissions(submissions: readonly SubmissionInProgress[]): BuiltSubmission[] {
  return undecidedSubmissions(submissions).filter(
    (submission): submission is BuiltSubmission => submission.referral !== undefined,
  );
}

/** Refuses a submission with a problem. Any other error is a bug, and fails every submission of the transaction. */
export function refuseSubmission(submission: SubmissionInProgress, error: unknown): void {
  if (!(error instanceof Problem)) throw error;
  submission.decision = { problem: error };
}
