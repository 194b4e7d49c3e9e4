import { localTime } from '../../../platform/clock/index.ts';
import { editDistance } from '../../../platform/edit-distance.ts';
import type { FieldError } from '../../../platform/problem/index.ts';
import type { SiteSecrets } from '../../../platform/secrets/index.ts';
import { hasInvisible, withNamesOnOneLine, withoutInvisible } from '../../../platform/visible-text.ts';
import { ageInMonths } from './age.ts';
import { shortNames } from './short-names.ts';

/** Nine digits and a check digit (modulus 11). */
export function isNhsNumber(text: string): boolean {
  if (!/^\d{10}$/.test(text)) return false;
  const digits = [...text].map(Number);
  const sum = digits.slice(0, 9).reduce((total, digit, index) => total + digit * (10 - index), 0);
  const check = (11 - (sum % 11)) % 11;
  return check !== 10 && check === digits[9];
}

/** Ten digits, alone or in groups. None begins with 0, as telephone numbers do. */
const tenDigits = /(?<!\d)[1-9](?:[ -]?\d){9}(?!\d)/g;

export function hasNhsNumber(text: string): boolean {
  return (text.match(tenDigits) ?? []).some((found) => isNhsNumber(found.replaceAll(/[ -]/g, '')));
}

/** An NHS number in its three groups: 999 000 0018. */
export function groupedNhsNumber(number: string): string {
  return number.replace(/^(\d{3})(\d{3})(\d{4})$/, '$1 $2 $3');
}

/** People write an NHS number in groups of digits. We check, store and search it without spaces. */
export function withCompactNumber<T extends { nhs_number?: string | undefined }>(patient: T): T {
  const { nhs_number } = patient;
  return nhs_number === undefined ? patient : { ...patient, nhs_number: nhs_number.replaceAll(' ', '') };
}

/** A name that was copied out of a table must not look like two lines of a letter. */
export function withPlainNames<
  T extends Omit<PatientIdentity, 'birth_date' | 'nhs_number'> & { carer?: { name?: string } | undefined },
>(patient: T): T {
  const { carer } = patient;
  return {
    ...withNamesOnOneLine(patient, ['title', 'given_name', 'family_name']),
    ...(carer && { carer: withNamesOnOneLine(carer, ['name']) }),
  };
}

/** Numbers that begin with 999 are reserved for tests: no person has one. */
export function isTestNhsNumber(text: string): boolean {
  return text.startsWith('999');
}

/** What identifies a person, as far as it is known. */
export type PatientIdentity = {
  [Key in 'title' | 'given_name' | 'family_name' | 'birth_date' | 'nhs_number']?: string | undefined;
};

/**
 * The numbers that England and Wales issue begin with 4, 6 or 7 (NHS Data Dictionary, NHS NUMBER). Other nations’ numbers
 * have the same check digit: a Scottish CHI number begins with a birth date, a Health and Care number of Northern Ireland
 * with 32 to 39. Numbers that begin with 9 belong to the made-up patients of the NHS’s integration environments, against which
 * a live site is tried before it is assured.
 */
function nhsNumberError(number: string, mode: 'test' | 'live'): Omit<FieldError, 'pointer'> | undefined {
  if (!isNhsNumber(number))
    return { message: 'is not an NHS number: check its ten digits', code: 'not-nhs-number' };
  if (mode === 'test')
    return isTestNhsNumber(number)
      ? undefined
      : {
          message: 'must begin with 999 on a test site, such as 9990000018: use made-up people only',
          code: 'real-number',
        };
  if (isTestNhsNumber(number)) return { message: 'is kept for tests: no person has it', code: 'test-number' };
  if (/^[4679]/.test(number)) return undefined;
  const leaveOut = 'This site takes NHS numbers of England and Wales: leave it out';
  if (/^(0[1-9]|[12]\d|3[01])(0[1-9]|1[0-2])/.test(number))
    return { message: `may be a CHI number of Scotland. ${leaveOut}`, code: 'chi-number' };
  if (/^3[2-9]/.test(number))
    return {
      message: `may be a Health and Care number of Northern Ireland. ${leaveOut}`,
      code: 'health-and-care-number',
    };
  return {
    message: 'is not a number that England or Wales has issued: check its ten digits',
    code: 'not-issued',
  };
}

/** Nobody in the United Kingdom is older; a year typed wrongly often makes somebody so. */
const maxAgeInYears = 120;

/** Checks the NHS number, the birth date and characters that nobody sees. */
export function patientErrors(patient: PatientIdentity, mode: 'test' | 'live', now: Date): FieldError[] {
  const errors = invisibleErrors(patient);
  const { nhs_number, birth_date } = patient;
  const numberError = nhs_number === undefined ? undefined : nhsNumberError(nhs_number, mode);
  if (numberError) errors.push({ pointer: '/patient/nhs_number', ...numberError });
  if (birth_date === undefined) return errors;
  const today = localTime(now).day.date;
  if (birth_date > today) {
    errors.push({ pointer: '/patient/birth_date', message: 'must not be in the future', code: 'in-future' });
  } else if (ageInMonths(birth_date, today) > maxAgeInYears * 12) {
    const message = `must not be more than ${maxAgeInYears} years ago`;
    errors.push({ pointer: '/patient/birth_date', message, code: 'too-early' });
  }
  return errors;
}

/** Names are compared, also by people who read them, so two that look the same must be the same. */
function invisibleErrors(patient: PatientIdentity): FieldError[] {
  const names = ['title', 'given_name', 'family_name'] as const;
  const message = 'must have no control characters, and no others that print nothing';
  return names
    .filter((name) => hasInvisible(patient[name] ?? ''))
    .map((name) => ({ pointer: `/patient/${name}`, message, code: 'invisible-characters' }));
}

/** Hashes by which the referrals of a person are found; null if the details are not known. */
export type PatientKeys = { name: Buffer | null; number: Buffer | null; family: Buffer | null };

/**
 * Keyed hashes that are equal for the same person: by both names and birth date, by NHS number, by last name and
 * birth date.
 */
export function patientKeys(secrets: SiteSecrets, patient: PatientIdentity = {}): PatientKeys {
  const { given_name, family_name, birth_date, nhs_number } = patient;
  const hash = (purpose: string, ...parts: (string | undefined)[]) =>
    parts.includes(undefined) ? null : secrets.hash(purpose, parts.join(' '));
  const family = family_name && normaliseName(family_name);
  return {
    name: hash('patient name', family, given_name && normaliseName(given_name), birth_date),
    number: hash('patient number', nhs_number),
    family: hash('patient family', family, birth_date),
  };
}

/**
 * Whether two records that share a name with birth date, or an NHS number, are of one person. A number alone does not say so: with
 * another last name and another birth date it was mistyped for one of them, or `mismatch_override` let it through.
 */
export function isSamePersonIfKeysMatch(one: PatientIdentity, other: PatientIdentity): boolean {
  return (
    one.birth_date === other.birth_date ||
    normaliseName(one.family_name ?? '') === normaliseName(other.family_name ?? '')
  );
}

/**
 * Stricter: the first names are the same as well. It decides whether the records of both are erased together, and twins share a last name
 * and a birth date, and by a slip of the keyboard a number.
 */
export function isCertainlySamePerson(one: PatientIdentity, other: PatientIdentity): boolean {
  const isSameGiven = normaliseName(one.given_name ?? '') === normaliseName(other.given_name ?? '');
  return isSameGiven && isSamePersonIfKeysMatch(one, other);
}

/** Who a referral or draft is about, for somebody who must tell two people apart. */
export function identityForDisplay({ patient }: { patient?: PatientIdentity | undefined }): {
  name: string;
  birthDate: string | undefined;
} {
  const name = [patient?.given_name, patient?.family_name].filter(Boolean).join(' ');
  return { name: name || 'No name entered', birthDate: patient?.birth_date };
}

/**
 * Whether two first names can hardly be of one person: twins share a last name and a birth date, and often the first letter of their
 * names. Initials, short forms, a shared beginning and other spellings are not different, and nor is a name that is not known.
 */
export function haveDifferentFirstNames(one: PatientIdentity, other: PatientIdentity): boolean {
  const names = [one, other].map(({ given_name }) => normaliseName(given_name ?? ''));
  const [first = '', second = ''] = names;
  if (first.includes(second) || second.includes(first)) return false;
  if (first[0] === second[0] && areSpeltAlike(first, second)) return false;
  return !shortNames.some((group) => names.every((name) => group.includes(name)));
}

/**
 * Whether first names may be of two people: neither is a part of the other. It warns of more than `haveDifferentFirstNames`, which takes a
 * shared beginning, another spelling or a short form for the same name.
 */
export function mayBeTwins(one: PatientIdentity, other: PatientIdentity): boolean {
  const [first, second] = [one, other].map(({ given_name }) => normaliseName(given_name ?? ''));
  return first !== '' && second !== '' && !first!.includes(second!) && !second!.includes(first!);
}

const minSharedLetters = 3;

/** “Jon” and “John”, “Mohammed” and “Muhammad”, “Christine” and “Chrissie”; not “Anna” and “Amelia”. */
function areSpeltAlike(one: string, other: string): boolean {
  if (one.slice(0, minSharedLetters) === other.slice(0, minSharedLetters)) return true;
  return editDistance(one, other) <= (Math.min(one.length, other.length) < 5 ? 1 : 2);
}

/** A name without accents, hyphens, spaces, capitals and invisible characters, which differ from form to form. */
export function normaliseName(name: string): string {
  return withoutInvisible(name)
    .normalize('NFKD')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
}
