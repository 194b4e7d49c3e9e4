import { actorOf, type Caller } from '../../../accounts/index.ts';
import { type AuditAction, recordAudit } from '../../../audit/index.ts';
import type { Trx } from '../../../platform/database/index.ts';
import { Problem, tooManyRequests } from '../../../platform/problem/index.ts';
import { recordAccessBySearch } from '../../model/access/looks.ts';
import type { ReferralDeps } from '../../model/deps.ts';
import { normaliseName } from '../../model/person/identity/names.ts';
import type { PatientKeys } from '../../model/person/identity/patient.ts';
import { haveDifferentFirstNames } from '../../model/person/identity/same-person.ts';
import { numberKnownOtherwise, personMismatch } from '../../model/problems.ts';
import type { Draft, Referral } from '../../model/referral.ts';
import { findBlockedNumbers, saveNumberAttempt } from './number-attempts-store.ts';
import { findOtherNames, lockNumbers, type OtherName } from './other-names-store.ts';
import { type BuiltSubmission, builtSubmissions, type SubmissionInProgress } from './submissions.ts';

type Deps = Pick<ReferralDeps, 'roomsAbove' | 'secrets'>;
type CandidateWithNumber = { caller: Caller; keys: PatientKeys; referral: Pick<Referral | Draft, 'content'> };

/** The audit entry of somebody who may be looking for a birth date. It is on the Caldicott guardian's weekly list. */
export const triedTooOftenAction = 'nhs-number.tried-too-often';
/** The code of the refusal, for the form. */
export const triedTooOftenCode = 'tried-too-often';

/**
 * Refuses the submissions whose NHS number this site knows with another name or birth date. First names may be short or initials. After
 * five different names or birth dates for a number, the organisation is refused it for up to a day: somebody could find a birth date by trying.
 * Each refusal is recorded like a search for the person (`recordAccessBySearch`), so that the Caldicott guardian sees it.
 */
export async function refuseMismatches(
  trx: Trx,
  deps: Deps,
  submissions: readonly SubmissionInProgress[],
  at: Date,
): Promise<void> {
  const withNumber = builtSubmissions(submissions)
    .filter(({ isDraft }) => !isDraft)
    .filter(({ keys, referral }) => keys.number !== null && referral.content.mismatch_override === undefined);
  if (withNumber.length === 0) return;
  // Until the transaction ends, nobody else can send a referral with the same number.
  await lockNumbers(trx, withNumber);
  const blocked = await findBlockedNumbers(trx, withNumber, at);
  for (const [submission, until] of blocked) {
    submission.decision = { problem: triedTooOftenProblem(until, at) };
    await noteRefusal(trx, deps, submission, { action: triedTooOftenAction }, at);
  }
  const compared = withNumber.filter((submission) => !blocked.has(submission));
  const mismatched = await findMismatched(trx, deps, compared);
  for (const submission of mismatched) {
    submission.decision = { problem: mismatchProblem() };
    await saveNumberAttempt(trx, submission, at);
    await noteRefusal(
      trx,
      deps,
      submission,
      { action: 'referral.requested', details: { reason: personMismatch.type } },
      at,
    );
  }
  // These may have used up the attempts. The guardian learns of that now, because nobody may try again.
  const nowBlocked = await findBlockedNumbers(trx, mismatched, at);
  for (const [{ caller, ipAddress }] of nowBlocked)
    await recordAudit(trx, {
      at,
      actor: actorOf(caller, ipAddress),
      action: triedTooOftenAction,
      outcome: 'refused',
    });
}

/** It does not say which of them differs, or who uses the number: that would tell a stranger about the person. */
function mismatchProblem(): Problem {
  return new Problem(personMismatch, undefined, {
    errors: [{ pointer: '/patient/nhs_number', message: numberKnownOtherwise, code: 'person-mismatch' }],
  });
}

/** Right details get the same answer as wrong ones. */
function triedTooOftenProblem(until: Date, at: Date): Problem {
  const seconds = Math.ceil((until.getTime() - at.getTime()) / 1000);
  const message = 'was sent with too many different names or dates of birth';
  return new Problem(
    tooManyRequests,
    'Nothing was sent. This NHS number was sent with too many different names or dates of birth, so for now it is refused with any. Check all of them with the person. If they are right, send mismatch_override with the reason.',
    {
      errors: [{ pointer: '/patient/nhs_number', message, code: triedTooOftenCode }],
      headers: { 'retry-after': String(seconds) },
    },
  );
}

async function noteRefusal(
  trx: Trx,
  deps: Deps,
  { caller, ipAddress, referral }: BuiltSubmission,
  entry: { action: AuditAction; details?: Record<string, unknown> },
  at: Date,
): Promise<void> {
  await recordAccessBySearch(trx, deps, caller, {
    person: referral.content.patient ?? {},
    referrals: [],
    at,
  });
  await recordAudit(trx, { at, actor: actorOf(caller, ipAddress), outcome: 'refused', ...entry });
}

async function findMismatched<T extends CandidateWithNumber>(
  trx: Trx,
  { roomsAbove }: Deps,
  candidates: readonly T[],
): Promise<T[]> {
  if (candidates.length === 0) return [];
  const otherNames = await findOtherNames(trx, candidates);
  return candidates.filter((candidate) => {
    const own = candidate.referral.content.patient ?? {};
    const ownName = own.family_name ?? '';
    const others = otherNames.get(candidate) ?? [];
    if (others.some(({ birthDate }) => birthDate !== own.birth_date)) return true;
    // On a test site a made-up person changes their name to choose another story.
    const isStory = roomsAbove.isStoryName(ownName);
    const comparable = isStory ? [] : others.filter(({ familyName }) => !roomsAbove.isStoryName(familyName));
    return hasOtherFamilyName(ownName, comparable) || hasOnlyOtherFirstNames(own, comparable);
  });
}

function hasOtherFamilyName(ownName: string, others: readonly OtherName[]): boolean {
  return others.some(({ familyName }) => normaliseName(familyName) !== normaliseName(ownName));
}

/** It may be a twin. Somebody may be known by a short first name and by a long one, so one that fits is enough. */
function hasOnlyOtherFirstNames(own: { given_name?: string }, others: readonly OtherName[]): boolean {
  return (
    others.length > 0 &&
    others.every(({ givenName }) => haveDifferentFirstNames(own, { given_name: givenName }))
  );
}
