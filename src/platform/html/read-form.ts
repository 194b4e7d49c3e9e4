import { badRequest, Problem } from '../problem/index.ts';
import { cleanText } from '../visible-text.ts';

/** A form may arrive without a body. */
function fieldsOf(body: unknown): Record<string, unknown> {
  return (body ?? {}) as Record<string, unknown>;
}

/**
 * The named fields of a form as they were typed, or an empty text for missing ones. Any program can send a form, so a value
 * that is not text counts as missing.
 */
export function readUntrimmedFields<Name extends string>(
  body: unknown,
  names: readonly Name[],
): Record<Name, string> {
  const fields = fieldsOf(body);
  return Object.fromEntries(
    names.map((name) => [name, Object.hasOwn(fields, name) ? firstText(fields[name]) : '']),
  ) as Record<Name, string>;
}

function firstText(value: unknown): string {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return typeof first === 'string' ? first : '';
}

/**
 * The named fields of a form, without white space around them and invisible characters. A missing field is empty; of a repeated one
 * the first counts.
 */
export function readFields<Name extends string>(body: unknown, names: readonly Name[]): Record<Name, string> {
  const form = readUntrimmedFields(body, names);
  return Object.fromEntries(names.map((name) => [name, cleanText(form[name])])) as Record<Name, string>;
}

/** For a form whose hidden fields are not those of its page. */
export function changedFormProblem(): Problem {
  return new Problem(badRequest, 'Open the page again and send its form as it is.');
}

/** All values of a field that can be chosen more than once. */
export function readChoices(body: unknown, name: string): string[] {
  return [fieldsOf(body)[name] ?? []].flat().map(String);
}

/** The value of a hidden field, which must be one of a few. @throws Problem `bad-request` for any other. */
export function readOneOf<Value extends string>(
  body: unknown,
  name: string,
  values: readonly Value[],
): Value {
  const value = values.find((each) => each === fieldsOf(body)[name]);
  if (value === undefined) throw changedFormProblem();
  return value;
}

/** When the page of a form was opened, as its hidden field says; never later than now. A second click on its button sends the same time. */
export function momentOfOpening(text: string, now: Date): Date {
  const opened = new Date(text);
  return opened <= now ? opened : now;
}

/** The text as somebody meant it, without invisible characters; undefined if nothing is left. */
export function trimToUndefined(text: string): string | undefined {
  return cleanText(text) || undefined;
}

/** Year, month and day as one text. A month may be typed as a word. If they are not a date, the schema refuses the text. */
export function joinDate(typed: readonly [string, string, string]): string | undefined {
  const [year, month, day] = typed.map((each) => each.trim()) as [string, string, string];
  if (day === '' && month === '' && year === '') return undefined;
  return `${year}-${numberOfMonth(month).padStart(2, '0')}-${day.padStart(2, '0')}`;
}

const months = 'january february march april may june july august september october november december'.split(
  ' ',
);

/** The number of a month typed as a word or its beginning, such as “March”, “sept” or “Mar.”; what is none stays as it is. */
function numberOfMonth(typed: string): string {
  const word = typed.toLowerCase().replace(/\.$/, '');
  const index = word.length < 3 ? -1 : months.findIndex((month) => month.startsWith(word));
  return index < 0 ? typed : String(index + 1);
}
