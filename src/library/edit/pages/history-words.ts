import { availabilityNames } from '../../model/availability.ts';
import type { Phone, Schedule, Service } from '../../model/service.ts';
import { phoneViews } from '../../view/links.ts';
import { openTimes } from '../../view/times.ts';
import { labels, statusChoices } from '../form/labels.ts';

type Attribute = NonNullable<Service['attributes']>[number];

/** A change of a field as those read it who keep the entry. The history itself has values as HSDS writes them. */
export function fieldInWords(field: string, previous: string, replacement: string) {
  const [was, is] = [valueInWords(field, previous), valueInWords(field, replacement)];
  // Words that are alike would hide that something changed, such as an id.
  const shown = was === is ? differingParts(previous, replacement) : differingParts(was, is);
  return { name: names.get(field) ?? field.replaceAll('_', ' '), ...shown };
}

/** Sources may call a field anything, also what every object has, such as `constructor`. */
const names: ReadonlyMap<string, string> = new Map([
  ...Object.entries(labels),
  ['capacity', 'Room'],
  ['waiting_time', 'Waiting time'],
  ['phones', 'Telephone numbers'],
  ['schedules', 'When it is open'],
  ['attributes', 'What it is about'],
  ['service_at_locations', 'Where it is'],
  ['assured_date', 'Last checked'],
  ['assurer_email', 'Checked by'],
]);

const codes: ReadonlyMap<string, string> = new Map([
  ...Object.entries(availabilityNames).map(([code, name]) => [`capacity ${code}`, name] as const),
  ...statusChoices.map(({ value, text }) => [`status ${value}`, text] as const),
]);

const lists: ReadonlyMap<string, (list: never) => string[]> = new Map([
  ['phones', phonesInWords],
  ['schedules', hoursInWords],
  ['attributes', termNames],
]);

function valueInWords(field: string, value: string): string {
  const list = readList(value);
  if (!list) return codes.get(`${field} ${value}`) ?? value;
  const inWords = lists.get(field);
  return inWords
    ? inWords(list as never).join('\n')
    : list.map((each) => textsOf(each).join(', ')).join('\n');
}

/** None where it is a text, or was so long that its end was cut off. */
function readList(value: string): unknown[] | undefined {
  if (!value.startsWith('[')) return undefined;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

function phonesInWords(phones: readonly Phone[]): string[] {
  return phoneViews(phones).map(({ text, note }) => withNote(text, note));
}

function hoursInWords(schedules: readonly Schedule[]): string[] {
  return openTimes(schedules, '').map(({ when, note }) => withNote(when, note));
}

function termNames(attributes: readonly Attribute[]): string[] {
  return attributes.flatMap(({ taxonomy_term: term }) => term?.name ?? []);
}

const withNote = (text: string, note: string | undefined) => (note ? `${text} (${note})` : text);

/** Everything that it says, without the ids by which its parts are told from each other. */
function textsOf(value: unknown): string[] {
  if (value === null || typeof value !== 'object') return [String(value)];
  return Object.entries(value).flatMap(([name, part]) => (/(^|_)id$/.test(name) ? [] : textsOf(part)));
}

/** So much is shown of a text before it is cut. */
const maxShownLength = 300;
/** So much of what both have alike is shown on either side, to know the place by. */
const context = 40;

/** Two texts as a history shows them: whole where they are short, else the part in which they differ. */
export function differingParts(was: string, is: string): { was: string; is: string } {
  if (was.length <= maxShownLength && is.length <= maxShownLength) return { was, is };
  const shorter = Math.min(was.length, is.length);
  let before = 0;
  while (before < shorter && was[before] === is[before]) before += 1;
  let after = 0;
  while (after < shorter - before && was.at(-1 - after) === is.at(-1 - after)) after += 1;
  const from = startOfWord(was, before - context);
  const part = (text: string) =>
    cut(text, from, Math.min(text.length - after + context, from + maxShownLength));
  return { was: part(was), is: part(is) };
}

/** Where the word begins in which a place lies, unless that is far: not every value has words. */
function startOfWord(text: string, place: number): number {
  if (place <= 0) return 0;
  const space = text.lastIndexOf(' ', place);
  return place - space <= context ? space + 1 : place;
}

function cut(text: string, from: number, to: number): string {
  const part = text.slice(from, to).toWellFormed();
  return `${from > 0 ? '…' : ''}${part}${to < text.length ? '…' : ''}`;
}
