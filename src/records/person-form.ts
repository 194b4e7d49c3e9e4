import { Compile } from 'typebox/compile';
import { compact, dateFrom, readForm, trimmed } from '../platform/html/index.ts';
import { describeErrors } from '../platform/http/index.ts';
import { Problem, unprocessable } from '../platform/problem/index.ts';
import type { Person } from '../referrals/index.ts';
import { exportRequestSchema } from './schemas.ts';

export const personFields = [
  'nhs_number',
  'given_name',
  'family_name',
  'birth_day',
  'birth_month',
  'birth_year',
] as const;

/** What the fields are called, by the names that refusals know. */
export const personLabels = {
  nhs_number: 'NHS number',
  given_name: 'First name',
  family_name: 'Last name',
  birth_day: 'Date of birth',
  reason: 'The reason',
};

const check = Compile(exportRequestSchema);

/** The person and the reason of a form. @throws Problem `unprocessable` in the words of the form's fields. */
export function readPerson(body: unknown): { person: Person; reason: string } {
  const form = readForm(body, [...personFields, 'reason']);
  const person = {
    nhs_number: form.nhs_number.replaceAll(/[\s-]/g, '') || undefined,
    given_name: trimmed(form.given_name),
    family_name: trimmed(form.family_name),
    birth_date: dateFrom([form.birth_year, form.birth_month, form.birth_day]),
  };
  const reason = trimmed(form.reason) ?? '';
  const found = describeErrors(check.Errors({ ...compact(person), reason }), '');
  if (found.length > 0) throw new Problem(unprocessable, undefined, { errors: found });
  return { person, reason };
}

/** The same refusal, beside the fields that the form has; of each field the first mistake is enough. */
export function inFormWords({ kind, detail, errors = [] }: Problem): Problem {
  const first = errors.filter(
    ({ pointer }, place) => errors.findIndex((each) => each.pointer === pointer) === place,
  );
  const said = first.map(({ pointer, message }) => ({
    pointer: pointer === '/birth_date' ? '/birth_day' : pointer,
    message: sentences[pointer]?.(message) ?? message,
  }));
  return new Problem(kind, detail, { errors: said });
}

const sentences: Readonly<Record<string, (message: string) => string>> = {
  '/nhs_number': (message) =>
    /required/.test(message)
      ? 'Enter an NHS number, or the names and the date of birth'
      : 'NHS number must have 10 numbers, like 999 000 0018',
  '/given_name': () => 'Enter the first name, too',
  '/family_name': () => 'Enter the last name, too',
  '/birth_date': () => 'Enter a real date of birth, like 9 3 1947',
  '/reason': (message) => (/name the person/.test(message) ? `The reason ${message}` : 'Enter a reason'),
};
