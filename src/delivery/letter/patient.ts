import type { Referral } from '../../referrals/index.ts';
import type { Fact, Section } from './letter.ts';
import { dateInWords, groupedNhsNumber } from './words.ts';

type Patient = Referral['content']['patient'];

const genders = { male: 'Male', female: 'Female', other: 'Other', unknown: 'Not known' } as const;

/** Who the letter is about: enough for a practice to find the record, and no more. */
export function identitySection(patient: Patient): Section {
  return { heading: 'Patient', facts: identity(patient) };
}

/** Who the letter is about, and how to reach them. */
export function patientSection(patient: Patient): Section {
  const { address, communication_needs: needs } = patient;
  const facts: (Fact | undefined)[] = [
    ...identity(patient),
    fact('Gender', patient.gender && genders[patient.gender]),
    fact('Ethnicity', patient.ethnicity),
    ['Address', [...address.lines, address.postcode.toUpperCase()].join('\n')],
    fact('Telephone', patient.telephone),
    fact('Email', patient.email),
    fact('Prefers contact by', patient.preferred_contact),
    fact('Interpreter', needs?.interpreter),
    fact('Needs information as', needs?.format),
    fact('Carer', carerOf(patient)),
  ];
  return { heading: 'Patient', facts: facts.filter((each) => each !== undefined) };
}

function identity(patient: Patient): Fact[] {
  const { nhs_number: number } = patient;
  return [
    ['Name', `${patient.given_name} ${patient.family_name}`, 'bold'],
    ['Date of birth', dateInWords(patient.birth_date)],
    ['NHS number', number === undefined ? 'Not known' : groupedNhsNumber(number)],
  ];
}

function carerOf({ carer }: Patient): string | undefined {
  return carer && [carer.name, carer.relationship, carer.telephone].filter(Boolean).join(', ');
}

export function fact(label: string, value: string | null | undefined): Fact | undefined {
  return value === undefined || value === null || value === '' ? undefined : [label, value];
}
