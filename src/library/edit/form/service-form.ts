import { hash } from 'node:crypto';
import { newId } from '../../../platform/ids/index.ts';
import { isMailAddress } from '../../../platform/mail/index.ts';
import type { FieldError } from '../../../platform/problem/index.ts';
import type { Schedule, Service } from '../../model/service.ts';
import { hasCredentials, isWebAddress, withScheme } from '../../model/web-address.ts';
import { plainEmail } from '../../model/wrong-values.ts';
import { type Point, placeErrors, placeFields, placeValues, withPlace } from './place.ts';
import { weekErrors, weekFields, weekValues, withWeek } from './week.ts';

/** What HSDS has one text for. */
const texts = [
  'name',
  'alternate_name',
  'description',
  'alert',
  'eligibility_description',
  'application_process',
  'wait_time',
  'fees_description',
  'email',
  'url',
] as const;
const ages = ['minimum_age', 'maximum_age'] as const;
/** A slip such as 550 would hide a service from whoever searches for an age. */
const maxPersonAge = 120;

/** The fields of the form that have one text each; `terms` has several. */
export const formFields: readonly string[] = [
  'status',
  ...texts,
  ...ages,
  'phone',
  ...weekFields,
  ...placeFields,
];

/** A service as a form shows it. */
export type ServiceForm = { values: Record<string, string>; terms: readonly string[] };
export type Term = { id: string; name: string };
type Attribute = NonNullable<Service['attributes']>[number];

export function formOf(service: Service): ServiceForm {
  const values = {
    status: service.status,
    ...Object.fromEntries(texts.map((name) => [name, service[name] ?? ''])),
    ...Object.fromEntries(ages.map((name) => [name, service[name]?.toString() ?? ''])),
    phone: service.phones?.[0]?.number ?? '',
    ...weekValues(shownSchedules(service)),
    ...placeValues(service),
  };
  return { values, terms: termIdsOf(service) };
}

function termIdsOf({ attributes = [] }: Service): string[] {
  return attributes.flatMap(({ taxonomy_term }) => taxonomy_term?.id ?? []);
}

/** What is wrong with what somebody typed, by the form's fields. What stands there already is not theirs to mend. */
export function formErrors(service: Service, { values }: ServiceForm): FieldError[] {
  const shown = formOf(service).values;
  const changed = (name: string) => values[name] !== '' && values[name] !== shown[name];
  const errors: FieldError[] = [];
  const refuse = (name: string, message: string) => errors.push({ pointer: `/${name}`, message });
  if (!values.name?.trim()) refuse('name', 'Enter the name of the service');
  if (changed('email') && !isMailAddress(plainEmail(values.email!.trim()))) {
    refuse('email', 'Enter an email address such as name@example.org');
  }
  if (changed('phone') && !hasPhoneNumber(values.phone!)) refuse('phone', enterTelephone);
  if (changed('url') && !isWebAddress(withScheme(values.url!.trim()))) refuse('url', enterUrl(values.url!));
  const [from, to] = ages.map((name) => {
    const age = values[name]?.trim() ?? '';
    const which = name === 'minimum_age' ? 'youngest' : 'oldest';
    if (changed(name) && (!/^\d{1,3}$/.test(age) || Number(age) > maxPersonAge))
      refuse(name, `Enter the ${which} age in years, as a whole number up to ${maxPersonAge}`);
    return age === '' ? undefined : Number(age);
  });
  if (from !== undefined && to !== undefined && from > to) {
    refuse('maximum_age', 'The oldest age must not be below the youngest');
  }
  return [...errors, ...weekErrors(shownSchedules(service), values), ...placeErrors(service, values)];
}

/**
 * The service with what somebody changed in its form, and everything else as it was. `terms` are those that the form
 * offered to choose from; `point` is where the postcode is.
 */
export function withForm(
  service: Service,
  { values, terms }: ServiceForm,
  known: { terms: readonly Term[]; point: Point | undefined },
): Service {
  const shown = formOf(service);
  const changes = formFields.filter((name) => lines(values[name]) !== lines(shown.values[name]));
  const result: Record<string, unknown> = { ...service };
  for (const name of changes) {
    const text = lines(values[name]);
    if (name === 'status') result.status = text;
    else if (name === 'email') result.email = text === '' ? undefined : plainEmail(text);
    else if (name === 'url') result.url = text === '' ? undefined : withScheme(text);
    else if (isOneOf(texts, name)) result[name] = text === '' ? undefined : text;
    else if (isOneOf(ages, name)) result[name] = text === '' ? undefined : Number(text);
    else if (name === 'phone') result.phones = withPhone(service.phones ?? [], text);
  }
  const edited = withPlace(withHours(result as Service, values), values, known.point);
  const attributes = withTerms(edited, terms, known.terms);
  return compacted({ ...edited, ...(attributes && { attributes }) });
}

/** Where the form's opening times stand: with the service, or with its first place where the service has none. */
export function shownSchedules({
  schedules,
  service_at_locations: places = [],
}: Service): readonly Schedule[] {
  return schedules ?? places[0]?.schedules ?? [];
}

function withHours(service: Service, values: Readonly<Record<string, string>>): Service {
  const before = shownSchedules(service);
  const schedules = [...withWeek(before, values)];
  if (schedules.every((each, index) => each === before[index]) && schedules.length === before.length)
    return service;
  const [first, ...others] = service.service_at_locations ?? [];
  if (service.schedules || !first?.schedules) return { ...service, schedules };
  return { ...service, service_at_locations: [{ ...first, schedules }, ...others] };
}

function withPhone(phones: NonNullable<Service['phones']>, number: string): Service['phones'] {
  const [first, ...others] = phones;
  if (number === '') return others.length === 0 ? undefined : others;
  return [{ ...(first ?? { id: newId(), type: 'voice' }), number }, ...others];
}

function withTerms(
  service: Service,
  chosen: readonly string[],
  offered: readonly Term[],
): Attribute[] | undefined {
  const has = new Set(termIdsOf(service));
  const offeredIds = new Set(offered.map(({ id }) => id));
  const wanted = new Set(chosen);
  const kept = (service.attributes ?? []).filter(
    ({ taxonomy_term: term }) => !term || wanted.has(term.id) || !offeredIds.has(term.id),
  );
  const added = offered
    .filter(({ id }) => wanted.has(id) && !has.has(id))
    .map((term) => ({
      id: newId(),
      link_id: service.id,
      link_entity: 'service',
      taxonomy_term_id: term.id,
      taxonomy_term: term,
    }));
  if (added.length === 0 && kept.length === (service.attributes ?? []).length) return undefined;
  return [...kept, ...added];
}

function enterUrl(text: string): string {
  return hasCredentials(text.trim())
    ? 'Enter a web address without a user name or password in it'
    : 'Enter a web address such as https://www.example.org';
}

/** With one kind of line end, and nothing around it: browsers send their own. */
function lines(text = ''): string {
  return text.replaceAll('\r\n', '\n').trim();
}

function isOneOf<Name extends string>(names: readonly Name[], name: string): name is Name {
  return names.includes(name as Name);
}

/** What was taken out is left out. */
function compacted(service: Service): Service {
  return Object.fromEntries(Object.entries(service).filter(([, value]) => value !== undefined)) as Service;
}

export const enterTelephone = 'Enter a telephone number such as 01632 960001';

/** People write extensions, words and names beside a number, and short ones have three digits. */
export function hasPhoneNumber(text: string): boolean {
  return text.replaceAll(/\D/g, '').length >= 3;
}

/** What a form showed when it was opened, field by field, in a few letters each: the form brings it back. */
export type ShownFields = Readonly<Record<string, string>>;

export function fingerprintsOf(form: ServiceForm): ShownFields {
  return Object.fromEntries([...formFields, 'terms'].map((name) => [name, fingerprint(textIn(form, name))]));
}

/**
 * What somebody typed, brought together with what others changed meanwhile: fields that were not touched are as they are
 * now. `conflicts` are those that both changed.
 */
export function mergeForm(
  now: ServiceForm,
  typed: ServiceForm,
  shown: ShownFields,
): { form: ServiceForm; conflicts: string[] } {
  const untouched = (name: string) => fingerprint(textIn(typed, name)) === shown[name];
  const values = Object.fromEntries(
    formFields.map((name) => [name, (untouched(name) ? now : typed).values[name] ?? '']),
  );
  const form = { values, terms: (untouched('terms') ? now : typed).terms };
  const conflicts = [...formFields, 'terms'].filter(
    (name) => fingerprint(textIn(now, name)) !== shown[name] && textIn(form, name) !== textIn(now, name),
  );
  return { form, conflicts };
}

function textIn({ values, terms }: ServiceForm, name: string): string {
  if (name === 'terms') return JSON.stringify(terms.toSorted());
  return (values[name] ?? '').replaceAll('\r\n', '\n').trim();
}

function fingerprint(value: string): string {
  return hash('sha1', value, 'base64url').slice(0, 8);
}
