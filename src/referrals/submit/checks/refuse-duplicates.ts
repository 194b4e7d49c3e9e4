import type { Trx } from '../../../platform/database/index.ts';
import { Problem } from '../../../platform/problem/index.ts';
import { listReferralsWithHiddenService } from '../../model/access/hide-sensitive-services.ts';
import {
  findOpenReferralsAtService,
  lockPatientsForServices,
} from '../../model/person/identity/duplicates-store.ts';
import { haveDifferentFirstNames, isSamePersonIfKeysMatch } from '../../model/person/identity/same-person.ts';
import { possibleDuplicate } from '../../model/problems.ts';
import type { Draft, Referral } from '../../model/referral.ts';
import { builtSubmissions, type SubmissionInProgress } from './submissions.ts';

type Candidate = Pick<SubmissionInProgress, 'caller' | 'duplicateCheck'> & {
  readonly referral: Pick<Referral | Draft, 'content'>;
};

/**
 * Refuses the submissions whose patient already has an open referral to the service by the same organisation. A referral by
 * another organisation changes nothing, nor does a colleague’s to a sensitive service: nobody may learn here that somebody uses
 * a refuge, for example.
 */
export async function refuseDuplicates(
  trx: Trx,
  submissions: readonly SubmissionInProgress[],
): Promise<void> {
  const candidates = builtSubmissions(submissions).filter(({ isDraft }) => !isDraft);
  const duplicates = await lockAndFindDuplicates(trx, candidates);
  for (const submission of candidates) {
    const duplicate = duplicates.get(submission);
    if (duplicate) submission.decision = { problem: duplicateProblem(duplicate) };
  }
}

/** Locks each patient at their service until the transaction ends, then returns the open referral that each candidate would repeat. */
async function lockAndFindDuplicates<T extends Candidate>(
  trx: Trx,
  candidates: readonly T[],
): Promise<ReadonlyMap<T, Referral>> {
  const checks = candidates.flatMap(({ duplicateCheck }) => duplicateCheck ?? []);
  await lockPatientsForServices(trx, checks);
  const openReferrals = await findOpenReferralsAtService(
    trx,
    checks.filter(({ allowDuplicate }) => !allowDuplicate),
  );
  const matches = candidates.flatMap((candidate) =>
    (openReferrals.get(candidate.duplicateCheck!) ?? [])
      // An NHS number alone may have been mistyped for one of two people, such as twins.
      .filter(({ content }) => {
        const own = candidate.referral.content.patient ?? {};
        return (
          isSamePersonIfKeysMatch(content.patient, own) && !haveDifferentFirstNames(content.patient, own)
        );
      })
      .map((referral) => ({ caller: candidate.caller, candidate, referral })),
  );
  const hidden = matches.length > 0 ? await listReferralsWithHiddenService(trx, matches) : new Set();
  const duplicates = new Map<T, Referral>();
  for (const { candidate, referral } of matches)
    if (!hidden.has(referral.id) && !duplicates.has(candidate)) duplicates.set(candidate, referral);
  return duplicates;
}

function duplicateProblem({ reference, id }: Referral): Problem {
  return new Problem(possibleDuplicate, undefined, { extra: { reference, referral_id: id } });
}
