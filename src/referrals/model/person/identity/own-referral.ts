import type { Caller } from '../../../../accounts/index.ts';
import { type FieldError, Problem } from '../../../../platform/problem/index.ts';
import { refersThemselves } from '../../problems.ts';
import type { Draft, Patient, Referral } from '../../referral.ts';
import { foldName, plainAddress } from './names.ts';

type AccountHolder = Pick<Caller, 'name' | 'email' | 'formerNames' | 'formerEmails'>;
type ReferredPerson = {
  patient: Pick<Patient, 'given_name' | 'family_name' | 'email'>;
};

/**
 * Refuses a referral of the account's own holder: nobody else would check such a referral. An account
 * has no birth date or number, and many people share a name. So somebody else of the same name goes through with a reason, which the
 * Caldicott guardian is told of.
 * @param mayShareName whether there is such a reason
 * @throws Problem `refers-themselves`
 */
export function requireSomebodyElse(
  holder: AccountHolder,
  person: ReferredPerson,
  { mayShareName = false, whatHappened = 'Nothing was sent.' } = {},
): void {
  const errors = ownDetailErrors(holder, person, { mayShareName });
  if (errors.length === 0) return;
  const isNameAlone = errors.some(({ code }) => code === ownNameCode);
  const remedy = isNameAlone
    ? 'If it is you, ask a colleague or your own GP practice to refer you. If it is somebody else of your name, send namesake_override with the reason: the service and the Caldicott guardian see it.'
    : 'Ask a colleague, or your own GP practice, to refer you.';
  throw new Problem(refersThemselves, `${whatHappened} ${remedy}`, { errors });
}

/** The audit entry of a referral that went through with `namesake_override`: the Caldicott guardian is told of each. */
export const namesakeReferredAction = 'referral.namesake_referred';

export function isOfNamesake(
  { name, formerNames }: Pick<AccountHolder, 'name' | 'formerNames'>,
  { status, content: { patient, namesake_override } }: Pick<Referral | Draft, 'status' | 'content'>,
): boolean {
  const { given_name = '', family_name = '' } = patient ?? {};
  const isOverridden = status !== 'draft' && namesake_override !== undefined;
  return isOverridden && isNamedLike({ name, formerNames }, { given_name, family_name });
}

function isNamedLike(
  { name, formerNames }: Pick<AccountHolder, 'name' | 'formerNames'>,
  patient: Pick<ReferredPerson['patient'], 'given_name' | 'family_name'>,
): boolean {
  return [name, ...formerNames].some((each) => mayBeNameOf(each, patient));
}

/** The code of a refusal that a reason may override. */
export const ownNameCode = 'own-name';

function ownDetailErrors(
  { name, email, formerNames, formerEmails }: AccountHolder,
  { patient }: ReferredPerson,
  { mayShareName }: { mayShareName: boolean },
): FieldError[] {
  const { email: patientEmail } = patient;
  if (
    patientEmail !== undefined &&
    [email, ...formerEmails].some((each) => plainAddress(each) === plainAddress(patientEmail))
  )
    return [
      { pointer: '/patient/email', message: 'is the address of your own account', code: 'own-account' },
    ];
  if (!isNamedLike({ name, formerNames }, patient)) return [];
  return mayShareName
    ? []
    : [{ pointer: '/patient/family_name', message: 'is your own name', code: ownNameCode }];
}

/**
 * Whether somebody with this name may call themselves so: with or without middle names, with initials, or with the first name in
 * the field of the last.
 */
function mayBeNameOf(
  holderName: string,
  { given_name, family_name }: Pick<Patient, 'given_name' | 'family_name'>,
): boolean {
  const holder = partsOf(holderName);
  const [given, family] = [partsOf(given_name), partsOf(family_name)];
  return [
    { first: given, last: family },
    { first: family, last: given },
  ].some(({ first, last }) => {
    const rest = splitAtSharedEnding(holder, [...first, ...last]);
    return rest !== undefined && haveFirstNameInCommon(...rest);
  });
}

function haveFirstNameInCommon(some: readonly string[], others: readonly string[]): boolean {
  const initialsOf = (parts: readonly string[]) => parts.map((part) => part[0]).join('');
  if (some.join('') === initialsOf(others) || others.join('') === initialsOf(some)) return true;
  const isInitial = (one: string, other: string) => one.length === 1 && one === other[0];
  return some.some((one) =>
    others.some((other) => one === other || isInitial(one, other) || isInitial(other, one)),
  );
}

/** The parts of a name without accents and capitals. A hyphen or apostrophe is often left out. */
function partsOf(name: string): string[] {
  const parts = name.split(/[^\p{L}\p{M}\p{N}'’]+/u);
  return parts.map(foldName).filter((part) => part !== '');
}

/**
 * What comes before the longest ending that both names share, ignoring how they are divided into words; undefined if
 * they share none.
 */
function splitAtSharedEnding(
  one: readonly string[],
  other: readonly string[],
): [string[], string[]] | undefined {
  for (let startInOne = 1; startInOne < one.length; startInOne++) {
    const end = one.slice(startInOne).join('');
    const startInOther = other.findIndex((_, from) => from > 0 && other.slice(from).join('') === end);
    if (startInOther !== -1) return [one.slice(0, startInOne), other.slice(0, startInOther)];
  }
  return undefined;
}
