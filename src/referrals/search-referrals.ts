import type { Caller } from '../accounts/index.ts';
import { compact } from '../platform/html/index.ts';
import { checkOf, describeErrors } from '../platform/http/index.ts';
import { badRequest, type FieldError, Problem } from '../platform/problem/index.ts';
import type { Page, PageRequest } from './cursor.ts';
import type { ReferralDeps } from './deps.ts';
import { listOwnReferrals } from './list-referrals.ts';
import { patientKeys, ungrouped } from './patient.ts';
import type { PresentedReferral } from './present.ts';
import { patientSearchSchema } from './search-schema.ts';

export type PatientSearch = {
  nhs_number?: string | undefined;
  family_name?: string | undefined;
  birth_date?: string | undefined;
  postcode?: string | undefined;
};

/**
 * The referrals of one person among those that the caller may see. Who was looked for is not written down; what was
 * found is.
 * @throws Problem `bad-request` for a cursor that is not one of ours, and for too little to tell people apart.
 */
export function searchReferrals(
  deps: ReferralDeps,
  caller: Caller,
  search: PatientSearch,
  page: PageRequest & { address: string },
): Promise<Page<PresentedReferral>> {
  const errors = missingFrom(search);
  if (errors.length > 0) {
    throw new Problem(badRequest, 'Send nhs_number, or family_name and birth_date.', { errors });
  }
  const keys = patientKeys(deps.secrets, ungrouped(compact(search) ?? {}));
  const patient = {
    numberKey: keys.number ?? undefined,
    familyKey: keys.family ?? undefined,
    postcode: search.postcode?.replaceAll(' ', '').toUpperCase(),
  };
  return listOwnReferrals(deps, caller, { ...page, patient });
}

/** Everything that is wrong with a search, for a page that says it beside its fields. */
export function searchErrors(search: PatientSearch): FieldError[] {
  const errors = describeErrors(checkOf(patientSearchSchema).Errors(compact(search) ?? {}), '');
  return errors.length > 0 ? errors : missingFrom(search);
}

function missingFrom({ nhs_number, family_name, birth_date }: PatientSearch): FieldError[] {
  const message = 'is required where nhs_number is not given';
  if (family_name !== undefined && birth_date === undefined) return [{ pointer: '/birth_date', message }];
  if (birth_date !== undefined && family_name === undefined) return [{ pointer: '/family_name', message }];
  if (nhs_number !== undefined || family_name !== undefined) return [];
  return [{ pointer: '/nhs_number', message: 'is required where family_name and birth_date are not given' }];
}
