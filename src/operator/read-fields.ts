import { readForm } from '../platform/html/index.ts';
import { badRequest, Problem } from '../platform/problem/index.ts';

/** The named fields of a form, trimmed. A missing field is empty; of a repeated one the first counts. */
export function readFields<Name extends string>(body: unknown, names: readonly Name[]): Record<Name, string> {
  const form = readForm(body, names);
  return Object.fromEntries(names.map((name) => [name, form[name].trim()])) as Record<Name, string>;
}

/** All values of a field that can be chosen more than once. */
export function readChoices(body: unknown, name: string): string[] {
  return [(body as Record<string, unknown>)[name] ?? []].flat().map(String);
}

/** The value of a hidden field, which must be one of a few. @throws Problem `bad-request` for any other. */
export function readOneOf<Value extends string>(
  body: unknown,
  name: string,
  values: readonly Value[],
): Value {
  const value = values.find((each) => each === (body as Record<string, unknown>)[name]);
  if (value === undefined) throw new Problem(badRequest, 'Open the page again and send its form as it is.');
  return value;
}
