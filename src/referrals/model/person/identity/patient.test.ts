import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createSecrets } from '../../../../platform/secrets/index.ts';
import type { Patient } from '../../referral.ts';
import { normaliseName } from './names.ts';
import { isNhsNumber, isTestNhsNumber } from './nhs-number.ts';
import { patientErrors, patientKeys } from './patient.ts';
import { haveDifferentFirstNames } from './same-person.ts';

const patient: Patient = {
  given_name: 'Zoë',
  family_name: "O'Example",
  birth_date: '1950-02-28',
  address: { lines: ['1 High Street'], postcode: 'ZT1 1AA' },
};
const today = new Date('2026-11-21T12:00:00Z');

function withCheckDigit(nine: string): string {
  return Array.from({ length: 10 }, (_, digit) => `${nine}${digit}`).find(isNhsNumber)!;
}

describe('a name', () => {
  it('is the same with and without characters that nobody sees', () => {
    for (const typed of ['Quill\u200bfeather', 'Quill\u3164feather', '\u2060QUILL-FE\u0301ATHER\u202e'])
      expect(normaliseName(typed), JSON.stringify(typed)).toBe('quillfeather');
  });
});

describe('two first names', () => {
  it.each([
    ['Anna', 'Amelia', true],
    ['Rosalind', 'Ruth', true],
    ['Emma', 'Emily', true],
    ['Ellie', 'Edward', true],
    ['Tom', 'Jack', true],
    ['A.', 'Amelia', false],
    ['Anna', 'Annabel', false],
    ['Steven', 'Stephen', false],
    ['Jon', 'John', false],
    ['Mohammed', 'Muhammad', false],
    ['Susan', 'Sue', false],
    ['James', 'Jim', false],
    ['Margaret', 'Peggy', false],
    ['Christine', 'Chrissie', false],
    ['', 'Anna', false],
  ])('“%s” and “%s” are of two people: %s', (one, other, is) => {
    expect(haveDifferentFirstNames({ given_name: one }, { given_name: other })).toBe(is);
  });
});

describe('an NHS number', () => {
  it('is ten digits, the last of them a check digit', () => {
    for (const number of [
      '9990000018',
      '9990000026',
      '9990000034',
      '9990000042',
      '9990000050',
      '9434765919',
    ]) {
      expect(isNhsNumber(number)).toBe(true);
    }
    for (const number of ['9990000019', '999000001', '99900000180', '', 'abcdefghij', '9434765910']) {
      expect(isNhsNumber(number)).toBe(false);
    }
    expect(isTestNhsNumber('9990000018')).toBe(true);
  });

  it('is a reserved one on a test site, and never on a live site', () => {
    const pointers = (number: string, mode: 'test' | 'live') =>
      patientErrors({ ...patient, nhs_number: number }, mode, today).map(({ pointer }) => pointer);
    expect(pointers('9990000018', 'test')).toEqual([]);
    expect(pointers('9434765919', 'test')).toEqual(['/patient/nhs_number']);
    expect(pointers('9990000018', 'live')).toEqual(['/patient/nhs_number']);
    expect(pointers('4505577104', 'live')).toEqual([]);
  });

  it.each([
    ['1503471238', 'chi-number'],
    ['3250000019', 'health-and-care-number'],
    ['5000000009', 'not-issued'],
    ['8000000008', 'not-issued'],
    ['9434765919', undefined],
    ['4505577104', undefined],
    ['6000000006', undefined],
    ['7000000007', undefined],
  ])('must be one of England or Wales on a live site: %s', (start, code) => {
    const number = withCheckDigit(start.slice(0, 9));
    const [error] = patientErrors({ ...patient, nhs_number: number }, 'live', today);
    expect(error?.code).toBe(code);
  });
});

describe('a patient', () => {
  it('has a birth date in the past and within a lifetime', () => {
    const born = (birth_date: string) => patientErrors({ ...patient, birth_date }, 'test', today).length;
    expect(born('2026-11-21')).toBe(0);
    expect(born('2026-11-22')).toBe(1);
    expect(born('1850-01-01')).toBe(1);
    // In summer the day begins here an hour before it does in UTC.
    const afterMidnight = new Date('2026-06-30T23:30:00Z');
    expect(patientErrors({ ...patient, birth_date: '2026-07-01' }, 'test', afterMidnight)).toEqual([]);
  });

  it('has the same keys however the name is written', () => {
    const secrets = createSecrets(randomBytes(32));
    const written = patientKeys(secrets, patient);
    const otherwise = patientKeys(secrets, { ...patient, given_name: 'ZOE', family_name: 'O’Example ' });
    expect(otherwise.name).toEqual(written.name);
    expect(patientKeys(secrets, { ...patient, birth_date: '1950-02-27' }).name).not.toEqual(written.name);
    expect(patientKeys(createSecrets(randomBytes(32)), patient).name).not.toEqual(written.name);
  });
});
