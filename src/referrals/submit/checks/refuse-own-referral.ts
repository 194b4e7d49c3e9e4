import type { Caller } from '../../../accounts/index.ts';
import { type FieldError, Problem } from '../../../platform/problem/index.ts';
import { normaliseName } from '../../model/person/patient.ts';
import { refersThemselves } from '../../model/problems.ts';
import type { NewReferral } from '../../model/schemas/new-referral.ts';

type Holder = Pick<Caller, 'name' | 'email' | 'organisation'>;

/**
 * Refuses a referral of the account's own holder: nobody would check it, and nobody else would have asked how they are. An account
 * has no birth date or number, and many people share a name, so a name counts only with the practice that the holder works for.
 * @throws Problem `refers-themselves`
 */
export function requireSomebodyElse(
  holder: Holder,
  input: Pick<NewReferral, 'patient' | 'gp_practice'>,
): void {
  const errors = ownDetails(holder, input);
  if (errors.length === 0) return;
  throw new Problem(
    refersThemselves,
    'Nothing was sent. Ask a colleague, or your own GP practice, to refer you.',
    {
      errors,
    },
  );
}

function ownDetails(
  { name, email, organisation }: Holder,
  { patient, gp_practice }: Pick<NewReferral, 'patient' | 'gp_practice'>,
): FieldError[] {
  if (patient.email !== undefined && plainAddress(patient.email) === plainAddress(email))
    return [
      { pointer: '/patient/email', message: 'is the address of your own account', code: 'own-account' },
    ];
  const ownName = normaliseName(name);
  const { given_name: given, family_name: family } = patient;
  const hasOwnName = [`${given}${family}`, `${family}${given}`].some(
    (each) => normaliseName(each) === ownName,
  );
  const worksThere = organisation?.odsCode && organisation.odsCode === gp_practice?.ods_code.toUpperCase();
  if (!hasOwnName || !worksThere) return [];
  const message = 'is your own name, and the practice is the one that you work for';
  return [{ pointer: '/patient/family_name', message, code: 'own-account' }];
}

/** Without what is after a plus sign, which reaches the same person. */
function plainAddress(address: string): string {
  return address
    .trim()
    .toLowerCase()
    .replace(/\+[^@]*@/, '@');
}
