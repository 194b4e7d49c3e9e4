import { localTime } from '../../../../platform/clock/index.ts';
import type { FieldError } from '../../../../platform/problem/index.ts';
import type { SiteSecrets } from '../../../../platform/secrets/index.ts';
import { isPlainLine, onOneLine, withNamesOnOneLine } from '../../../../platform/visible-text.ts';
import { ageInMonths } from '../age.ts';
import { normaliseName } from './names.ts';
import { nhsNumberError } from './nhs-number.ts';

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

/** What identifies a person, as far as it is known. */
export type PatientIdentity = {
  [Key in 'title' | 'given_name' | 'family_name' | 'birth_date' | 'nhs_number']?: string | undefined;
};

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
    .filter((name) => !isPlainLine(onOneLine(patient[name] ?? '')))
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

/** Who a referral or draft is about, for somebody who must tell two people apart. */
export function identityForDisplay({ patient }: { patient?: PatientIdentity | undefined }): {
  name: string;
  birthDate: string | undefined;
} {
  const name = [patient?.given_name, patient?.family_name].filter(Boolean).join(' ');
  return { name: name || 'No name entered', birthDate: patient?.birth_date };
}
