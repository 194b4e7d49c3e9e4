import { actorOf, type Caller } from '../../../accounts/index.ts';
import { recordAudit } from '../../../audit/index.ts';
import type { Trx } from '../../../platform/database/index.ts';
import { Problem } from '../../../platform/problem/index.ts';
import { noteSearch } from '../../model/access/looks.ts';
import type { ReferralDeps } from '../../model/deps.ts';
import { haveDifferentFirstNames, normaliseName, type PatientKeys } from '../../model/person/patient.ts';
import { personMismatch } from '../../model/problems.ts';
import type { Draft, Referral } from '../../model/referral.ts';
import { isToBeSent, type SubmissionInProgress, validSubmissions } from '../submissions.ts';
import { findOtherNames, lockNumbers } from './known-names-store.ts';

type Deps = Pick<ReferralDeps, 'referralListener' | 'secrets'>;
type NamedByNumber = { caller: Caller; keys: PatientKeys; referral: Pick<Referral | Draft, 'content'> };

/**
 * Refuses the submissions whose NHS number this site knows with another name or birth date. First names may be short or initials. Each
 * refusal is kept as a search that found nobody, because somebody could find a birth date by trying.
 */
export async function refuseMismatches(
  deps: Deps,
  trx: Trx,
  submissions: readonly SubmissionInProgress[],
  at: Date,
): Promise<void> {
  const sent = validSubmissions(submissions).filter(isToBeSent);
  const mismatched = await findMismatched(deps, trx, sent);
  for (const submission of mismatched) {
    const { caller, ipAddress, referral } = submission;
    submission.outcome = { problem: mismatchProblem() };
    await noteSearch(deps, trx, caller, { person: referral.content.patient ?? {}, found: [], at });
    await recordAudit(trx, {
      at,
      actor: actorOf(caller, ipAddress),
      action: 'referral.requested',
      outcome: 'refused',
      details: { reason: personMismatch.type },
    });
  }
}

/** It does not say which of them differs, or who uses the number: that would tell a stranger about the person. */
function mismatchProblem(): Problem {
  const message = 'is known on this site with another name or date of birth';
  return new Problem(
    personMismatch,
    'Nothing was sent. Check the number, the names and the date of birth with the person. If they are right, send mismatch_override with the reason.',
    { errors: [{ pointer: '/patient/nhs_number', message, code: 'person-mismatch' }] },
  );
}

/** Until the transaction ends, nobody else can send a referral with the same number. */
async function findMismatched<T extends NamedByNumber>(
  { referralListener }: Deps,
  trx: Trx,
  candidates: readonly T[],
): Promise<T[]> {
  const numbered = candidates.filter(
    ({ keys, referral }) => keys.number !== null && referral.content.mismatch_override === undefined,
  );
  if (numbered.length === 0) return [];
  await lockNumbers(trx, numbered);
  const otherNames = await findOtherNames(trx, numbered);
  return numbered.filter((candidate) => {
    const own = candidate.referral.content.patient ?? {};
    const ownName = own.family_name ?? '';
    // On a test site a made-up person changes their name to choose another story.
    const isStory = (name: string) => referralListener.isStoryName(name);
    const isOther = (name: string) =>
      normaliseName(name) !== normaliseName(ownName) && !isStory(name) && !isStory(ownName);
    const others = otherNames.get(candidate) ?? [];
    if (others.some((other) => other.birthDate !== own.birth_date || isOther(other.familyName))) return true;
    // It may be a twin. Somebody may be known by a short first name and by a long one, so one that fits is enough.
    const known = others.filter(({ familyName }) => !isStory(familyName) && !isStory(ownName));
    return (
      known.length > 0 &&
      known.every((other) => haveDifferentFirstNames(own, { given_name: other.givenName }))
    );
  });
}
