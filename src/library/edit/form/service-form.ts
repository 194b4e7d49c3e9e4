import { hash } from 'node:crypto';
import { newId } from '../../../platform/ids/index.ts';
import { isMailAddress } from '../../../platform/mail/index.ts';
import type { FieldError } from '../../../platform/problem/index.ts';
import { maxAge, type Schedule, type Service } from '../../model/service.ts';
import { hasCredentials, isWebAddress, withScheme } from '../../model/web-address.ts';
import { plainEmail } from '../../model/wrong-values.ts';
import type { Point } from '../../postcodes/postcodes-store.ts';
import { lineErrors, lineFields, lineValues, withLines } from './lines.ts';
import { addressFields, placeErrors, placeValues, withPlace } from './place.ts';
import { weekErrors, weekFields, weekValues, withWeek } from './week-rows.ts';

const textFields = [
  'name',
  'alternate_name',
  'description',
  'alert',
  'eligibility_description',
  'application_process',
  'wait_time',
  'fees_description',
  'interpretation_services',
  'email',
  'url',
] as const;
const ageFields = ['minimum_age', 'maximum_age'] as const;

/** The fields with one text each. `terms`, which has several values, is separate. */
export const formFields: readonly string[] = [
  'status',
  ...textFields,
  ...ageFields,
  'phone',
  ...weekFields,
  ...addressFields,
  ...lineFields,
];

/** A service as the form shows it. */
export type ServiceForm = { values: Record<string, string>; terms: readonly string[] };
type Term = { id: string; name: string };
type Attribute = NonNullable<Service['attributes']>[number];

export function formOf(service: Service): ServiceForm {
  const values = {
    status: service.status,
    ...Object.fromEntries(textFields.map((name) => [name, service[name] ?? ''])),
    ...Object.fromEntries(ageFields.map((name) => [name, service[name]?.toString() ?? ''])),
    phone: service.phones?.[0]?.number ?? '',
    ...weekValues(shownSchedules(service)),
    ...placeValues(service),
    ...lineValues(service),
  };
  return { values, terms: termIdsOf(service) };
}

function termIdsOf({ attributes = [] }: Service): string[] {
  return attributes.flatMap(({ taxonomy_term }) => taxonomy_term?.id ?? []);
}

/** What is wrong with what somebody typed. Values that they did not change are not checked. */
export function serviceFormErrors(service: Service, { values }: ServiceForm): FieldError[] {
  const shown = formOf(service).values;
  const hasChanged = (name: string) => values[name] !== '' && values[name] !== shown[name];
  const errors: FieldError[] = [];
  const refuse = (name: string, message: string) => errors.push({ pointer: `/${name}`, message });
  if (!values.name?.trim()) refuse('name', 'Enter the name of the service');
  if (hasChanged('email') && !isMailAddress(plainEmail(values.email!.trim()))) {
    refuse('email', 'Enter an email address such as name@example.org');
  }
  if (hasChanged('phone') && !hasPhoneNumber(values.phone!)) refuse('phone', enterTelephone);
  if (hasChanged('url') && !isWebAddress(withScheme(values.url!.trim())))
    refuse('url', enterUrl(values.url!));
  const [from, to] = ageFields.map((name) => {
    const age = values[name]?.trim() ?? '';
    const which = name === 'minimum_age' ? 'youngest' : 'oldest';
    if (hasChanged(name) && (!/^\d{1,3}$/.test(age) || Number(age) > maxAge))
      refuse(name, `Enter the ${which} age in years, as a whole number up to ${maxAge}`);
    return age === '' ? undefined : Number(age);
  });
  if (from !== undefined && to !== undefined && from > to) {
    refuse('maximum_age', 'The oldest age must not be below the youngest');
  }
  return [
    ...errors,
    ...weekErrors(shownSchedules(service), values),
    ...placeErrors(service, values),
    ...lineErrors(service, values),
  ];
}

/** The terms that the form offered, the point of its postcode, and the points of the postcodes of other places. */
export type FormReferences = {
  terms: readonly Term[];
  point: Point | undefined;
  points: ReadonlyMap<string, Point>;
};

/** The service with the changes from its form. Everything else stays as it was. */
export function withForm(
  service: Service,
  { values, terms }: ServiceForm,
  references: FormReferences,
): Service {
  const shown = formOf(service);
  const changes = formFields.filter(
    (name) => trimmedLines(values[name]) !== trimmedLines(shown.values[name]),
  );
  const result: Record<string, unknown> = { ...service };
  for (const name of changes) {
    const text = trimmedLines(values[name]);
    if (name === 'status') result.status = text;
    else if (name === 'email') result.email = text === '' ? undefined : plainEmail(text);
    else if (name === 'url') result.url = text === '' ? undefined : withScheme(text);
    else if (isOneOf(textFields, name)) result[name] = text === '' ? undefined : text;
    else if (isOneOf(ageFields, name)) result[name] = text === '' ? undefined : Number(text);
    else if (name === 'phone') result.phones = withPhone(service.phones ?? [], text);
  }
  const placed = withPlace(withHours(result as Service, values), values, references.point);
  const edited = lineFields
    .filter((name) => changes.includes(name))
    .reduce((each, name) => withLines(each, name, values[name] ?? '', references.points), placed);
  const attributes = withTerms(edited, terms, references.terms);
  return withoutUndefined({ ...edited, ...(attributes && { attributes }) });
}

/** The opening times in the form: the service's, or those of its first location if the service has none. */
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
  const remaining = (service.attributes ?? []).filter(
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
  if (added.length === 0 && remaining.length === (service.attributes ?? []).length) return undefined;
  return [...remaining, ...added];
}

function enterUrl(text: string): string {
  return hasCredentials(text.trim())
    ? 'Enter a web address without a user name or password in it'
    : 'Enter a web address such as https://www.example.org';
}

/** Browsers send their own line ends. */
function trimmedLines(text = ''): string {
  return text.replaceAll('\r\n', '\n').trim();
}

function isOneOf<Name extends string>(names: readonly Name[], name: string): name is Name {
  return names.includes(name as Name);
}

function withoutUndefined(service: Service): Service {
  return Object.fromEntries(Object.entries(service).filter(([, value]) => value !== undefined)) as Service;
}

export const enterTelephone = 'Enter a telephone number such as 01632 960001';

/** People write extensions, words and names beside a number. The shortest numbers have three digits. */
export function hasPhoneNumber(text: string): boolean {
  return text.replaceAll(/\D/g, '').length >= 3;
}

/** A fingerprint of each field as the form was opened. The form sends them back, so that we see what was changed. */
export type ShownFields = Readonly<Record<string, string>>;

export function fingerprintsOf(form: ServiceForm): ShownFields {
  return Object.fromEntries([...formFields, 'terms'].map((name) => [name, fingerprint(textOf(form, name))]));
}

/**
 * Merges what somebody typed with what others changed meanwhile. Fields they left alone keep their current value.
 * `conflicts` are fields that both changed.
 */
export function mergeForm(
  now: ServiceForm,
  typed: ServiceForm,
  shown: ShownFields,
): { form: ServiceForm; conflicts: string[] } {
  const isUntouched = (name: string) => fingerprint(textOf(typed, name)) === shown[name];
  const values = Object.fromEntries(
    formFields.map((name) => [name, (isUntouched(name) ? now : typed).values[name] ?? '']),
  );
  const form = { values, terms: (isUntouched('terms') ? now : typed).terms };
  const conflicts = [...formFields, 'terms'].filter(
    (name) => fingerprint(textOf(now, name)) !== shown[name] && textOf(form, name) !== textOf(now, name),
  );
  return { form, conflicts };
}

function textOf({ values, terms }: ServiceForm, name: string): string {
  if (name === 'terms') return JSON.stringify(terms.toSorted());
  return trimmedLines(values[name]);
}

function fingerprint(value: string): string {
  return hash('sha1', value, 'base64url').slice(0, 8);
}
