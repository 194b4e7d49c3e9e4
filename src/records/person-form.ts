import { compact, readForm, trimmed } from '../platform/html/index.ts';
import { checkOf, describeErrors } from '../platform/http/index.ts';
import { Problem, unprocessable } from '../platform/problem/index.ts';
import { type Person, personFieldWords, typedPerson } from '../referrals/index.ts';
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
  nhs_number: personFieldWords.nhs_number.label,
  given_name: personFieldWords.given_name.label,
  family_name: personFieldWords.family_name.label,
  birth_day: personFieldWords.birth_day.label,
  reason: 'The reason',
};

/** The person and the reason of a form. @throws Problem `unprocessable` in the words of the form's fields. */
export function readPerson(body: unknown): { person: Person; reason: string } {
  const form = readForm(body, [...personFields, 'reason']);
  const person = { ...typedPerson(form), given_name: trimmed(form.given_name) };
  const reason = trimmed(form.reason) ?? '';
  const found = describeErrors(checkOf(exportRequestSchema).Errors({ ...compact(person), reason }), '');
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
      : personFieldWords.nhs_number.wrong,
  '/given_name': () => 'Enter the first name, too',
  '/family_name': () => 'Enter the last name, too',
  '/birth_date': () => 'Enter a real date of birth, like 9 3 1947',
  '/reason': (message) => (/name the person/.test(message) ? `The reason ${message}` : 'Enter a reason'),
};
