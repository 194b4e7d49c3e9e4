import { availabilityNames } from '../../model/availability.ts';
import type { Phone, Schedule, Service } from '../../model/service.ts';
import { phoneViews } from '../../view/links.ts';
import { openTimes } from '../../view/times.ts';
import { labels, statusChoices } from '../form/labels.ts';
import { partsInWords } from '../form/lines.ts';

type Attribute = NonNullable<Service['attributes']>[number];

/** A changed field in words, for the history page. The history itself stores values as HSDS writes them. */
export function fieldInWords(field: string, previous: string, replacement: string) {
  const [was, is] = [valueInWords(field, previous), valueInWords(field, replacement)];
  // If both read the same, only something like an id changed: show the stored values.
  const shown = was === is ? differingParts(previous, replacement) : differingParts(was, is);
  return { name: names.get(field) ?? field.replaceAll('_', ' '), ...shown };
}

/** A map, because a source may call a field `constructor`, which every object has. */
const names: ReadonlyMap<string, string> = new Map([
  ...Object.entries(labels),
  ['capacity', 'Availability'],
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
  ...Object.entries(partsInWords),
]);

function valueInWords(field: string, value: string): string {
  const list = readList(value);
  if (!list) return codes.get(`${field} ${value}`) ?? value;
  const inWords = lists.get(field);
  return inWords
    ? inWords(list as never).join('\n')
    : list.map((each) => textsOf(each).join(', ')).join('\n');
}

/** Undefined for text, and for a list whose end was cut off because it was too long. */
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

/** All values except ids. */
function textsOf(value: unknown): string[] {
  if (value === null || typeof value !== 'object') return [String(value)];
  return Object.entries(value).flatMap(([name, part]) => (/(^|_)id$/.test(name) ? [] : textsOf(part)));
}

/** Longer texts are cut. */
const maxShownLength = 300;
/** How much unchanged text is shown around the change. */
const context = 40;

/** Two texts for the history: whole if they are short, else the part in which they differ. */
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

/** The start of the word at this index, unless it is far away: not every value has words. */
function startOfWord(text: string, index: number): number {
  if (index <= 0) return 0;
  const space = text.lastIndexOf(' ', index);
  return index - space <= context ? space + 1 : index;
}

function cut(text: string, from: number, to: number): string {
  const part = text.slice(from, to).toWellFormed();
  return `${from > 0 ? '…' : ''}${part}${to < text.length ? '…' : ''}`;
}
