import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createSecrets } from '../../../../platform/secrets/index.ts';
import type { Patient } from '../../referral.ts';
import { patientErrors, patientKeys } from './patient.ts';

const patient: Patient = {
  given_name: 'Zoë',
  family_name: "O'Example",
  birth_date: '1950-02-28',
  address: { lines: ['1 High Street'], postcode: 'ZT1 1AA' },
};
const today = new Date('2026-11-21T12:00:00Z');

describe('a patient', () => {
  it('is told what is wrong with the NHS number at its place', () => {
    const errors = patientErrors({ ...patient, nhs_number: '9434765919' }, 'test', today);
    expect(errors).toMatchObject([{ pointer: '/patient/nhs_number', code: 'real-number' }]);
  });

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
