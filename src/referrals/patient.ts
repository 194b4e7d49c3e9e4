import type { FieldError } from '../platform/problem/index.ts';
import type { SiteSecrets } from '../platform/secrets/index.ts';
import type { Patient } from './referral.ts';

/** Whether the ten digits are an NHS number: the last is right by modulus 11. */
export function isNhsNumber(text: string): boolean {
  if (!/^\d{10}$/.test(text)) return false;
  const digits = [...text].map(Number);
  const sum = digits.slice(0, 9).reduce((total, digit, place) => total + digit * (10 - place), 0);
  const check = (11 - (sum % 11)) % 11;
  return check !== 10 && check === digits[9];
}

/** Numbers that begin with 999 are kept for tests: no person has one. */
export function isTestNhsNumber(text: string): boolean {
  return text.startsWith('999');
}

/** What is wrong with the patient beyond what the schema sees. */
export function patientErrors(patient: Patient, mode: 'test' | 'live', today: Date): FieldError[] {
  const errors: FieldError[] = [];
  const { nhs_number, birth_date } = patient;
  if (nhs_number !== undefined && !isNhsNumber(nhs_number)) {
    errors.push({ pointer: '/patient/nhs_number', message: 'is not an NHS number: check its ten digits' });
  } else if (nhs_number !== undefined && mode === 'test' && !isTestNhsNumber(nhs_number)) {
    const message = 'must begin with 999 on a test site, such as 9990000018: use made-up people only';
    errors.push({ pointer: '/patient/nhs_number', message });
  } else if (nhs_number !== undefined && mode === 'live' && isTestNhsNumber(nhs_number)) {
    errors.push({ pointer: '/patient/nhs_number', message: 'is kept for tests: no person has it' });
  }
  if (birth_date > today.toISOString().slice(0, 10)) {
    errors.push({ pointer: '/patient/birth_date', message: 'must not be in the future' });
  } else if (birth_date < '1890-01-01') {
    errors.push({ pointer: '/patient/birth_date', message: 'must be 1890 or later' });
  }
  return errors;
}

/** Keyed hashes that are equal for the same person, by name and birth date and, where known, by NHS number. */
export function patientKeys(secrets: SiteSecrets, patient: Patient): { name: Buffer; number: Buffer | null } {
  const plain = (name: string) =>
    name
      .normalize('NFKD')
      .replaceAll(/[^\p{L}\p{N}]/gu, '')
      .toLowerCase();
  const name = `${plain(patient.family_name)} ${plain(patient.given_name)} ${patient.birth_date}`;
  return {
    name: secrets.hash('patient name', name),
    number: patient.nhs_number === undefined ? null : secrets.hash('patient number', patient.nhs_number),
  };
}
