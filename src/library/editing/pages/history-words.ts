import type { Phone, Schedule, Service } from '../../hsds/service.ts';
import { capacityNames } from '../../search/filter-parameters.ts';
import { phoneViews } from '../../view/phones.ts';
import { openTimes } from '../../view/times.ts';
import { labels, statusChoices } from '../form/labels.ts';
import { differingParts } from './differing-parts.ts';

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
  ...Object.entries(capacityNames).map(([code, name]) => [`capacity ${code}`, name] as const),
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
