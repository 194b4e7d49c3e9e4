import { dateFrom, trimmed } from '../platform/html/index.ts';
import type { Field } from './form-errors.ts';

export const notRealDate = 'Date of birth must be a real date, like 9 3 1947';

/** What the fields that say who somebody is are called, and what is wrong with them, on whichever form they stand. */
export const personFields = {
  given_name: { label: 'First name', empty: 'Enter the person’s first name' },
  family_name: { label: 'Last name', empty: 'Enter the person’s last name' },
  birth_day: { label: 'Date of birth' },
  birth_month: { label: 'Month of birth' },
  birth_year: { label: 'Year of birth' },
  nhs_number: { label: 'NHS number', wrong: 'NHS number must have 10 numbers, like 999 000 0018' },
  postcode: { label: 'Postcode', wrong: 'Enter a full UK postcode, like HR1 2BN' },
} satisfies Record<string, Field>;

type Typed = Record<'nhs_number' | 'family_name' | 'birth_day' | 'birth_month' | 'birth_year', string>;

/** What was typed to find somebody by; what was left empty is undefined. */
export function typedPerson(form: Typed) {
  return {
    nhs_number: form.nhs_number.replaceAll(/[\s-]/g, '') || undefined,
    family_name: trimmed(form.family_name),
    birth_date: dateFrom([form.birth_year, form.birth_month, form.birth_day]),
  };
}
