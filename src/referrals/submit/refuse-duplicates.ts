import type { Trx } from '../../platform/database/index.ts';
import { Problem } from '../../platform/problem/index.ts';
import {
  findOpenReferrals,
  lockPatientsForServices,
  type PatientAtService,
} from '../model/duplicates-store.ts';
import { possibleDuplicate } from '../model/problems.ts';
import type { Referral } from '../model/referral.ts';
import { type Candidate, type Entry, validEntries } from './entry.ts';

/**
 * Refuses the entries whose patient already has an open referral to the service by the same organisation. A referral by
 * another organisation changes nothing: nobody may learn here that somebody uses a refuge, for example.
 */
export async function refuseDuplicates(trx: Trx, entries: readonly Entry[]): Promise<void> {
  const candidates = validEntries(entries).flatMap((entry) => (entry.candidate ? [entry.candidate] : []));
  const duplicates = await findDuplicates(trx, candidates);
  for (const entry of validEntries(entries)) {
    const duplicate = entry.candidate && duplicates.get(entry.candidate);
    if (duplicate) entry.outcome = { problem: duplicateProblem(duplicate) };
  }
}

/** The same for one draft that is being sent. @throws Problem `possible-duplicate` */
export async function requireNoDuplicate(trx: Trx, candidate: Candidate): Promise<void> {
  const duplicate = (await findDuplicates(trx, [candidate])).get(candidate);
  if (duplicate) throw duplicateProblem(duplicate);
}

/** Until the transaction ends, nobody else of the organisations can refer these patients to their services. */
async function findDuplicates(
  trx: Trx,
  candidates: readonly Candidate[],
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
