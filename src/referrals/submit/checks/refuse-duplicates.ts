import type { Trx } from '../../../platform/database/index.ts';
import { Problem } from '../../../platform/problem/index.ts';
import {
  findOpenReferrals,
  lockPatientsForServices,
  type PatientAtService,
} from '../../model/person/duplicates-store.ts';
import { possibleDuplicate } from '../../model/problems.ts';
import type { Referral } from '../../model/referral.ts';
import { type DuplicateCheck, type SubmissionInProgress, validSubmissions } from '../submissions.ts';

/**
 * Refuses the submissions whose patient already has an open referral to the service by the same organisation. A referral by
 * another organisation changes nothing: nobody may learn here that somebody uses a refuge, for example.
 */
export async function refuseDuplicates(
  trx: Trx,
  submissions: readonly SubmissionInProgress[],
): Promise<void> {
  const candidates = validSubmissions(submissions).flatMap((submission) =>
    submission.duplicateCheck ? [submission.duplicateCheck] : [],
  );
  const duplicates = await findDuplicates(trx, candidates);
  for (const submission of validSubmissions(submissions)) {
    const duplicate = submission.duplicateCheck && duplicates.get(submission.duplicateCheck);
    if (duplicate) submission.outcome = { problem: duplicateProblem(duplicate) };
  }
}

/** The same for one draft that is being sent. @throws Problem `possible-duplicate` */
export async function requireNoDuplicate(trx: Trx, candidate: DuplicateCheck): Promise<void> {
  const duplicate = (await findDuplicates(trx, [candidate])).get(candidate);
  if (duplicate) throw duplicateProblem(duplicate);
}

/** Until the transaction ends, no colleague can refer the same patient to the same service. */
async function findDuplicates(
  trx: Trx,
  candidates: readonly DuplicateCheck[],
): Promise<ReadonlyMap<PatientAtService, Referral>> {
  await lockPatientsForServices(trx, candidates);
  return findOpenReferrals(
    trx,
    candidates.filter(({ allowDuplicate }) => !allowDuplicate),
  );
}

function duplicateProblem({ reference, id }: Referral): Problem {
  return new Problem(
    possibleDuplicate,
    'Follow that one, or send allow_duplicate: true if a second one is meant.',
    { extra: { reference, referral_id: id } },
  );
}
