import type { FormErrors } from '../../../platform/html/index.ts';
import { dayCodes, dayNames } from '../../hours/week.ts';
import { remoteWayChoices } from '../form/labels.ts';
import type { ServiceForm } from '../form/service-form.ts';
import { weekFields, weekRows } from '../form/week-rows.ts';

/** The fields of the parts that are folded, in the order of the form. */
const fieldsOfParts = {
  who: [
    'eligibility_description',
    'service_areas',
    'minimum_age',
    'maximum_age',
    'languages',
    'interpretation_services',
    'terms',
  ],
  joining: ['application_process', 'wait_time', 'fees_description', 'cost_options', 'required_documents'],
  contact: ['phone', 'email', 'url'],
  times: weekFields,
  places: [
    'address_1',
    'address_2',
    'city',
    'state_province',
    'postal_code',
    'accessibility',
    'other_places',
    'remote_ways',
  ],
} as const;
type Part = keyof typeof fieldsOfParts;

/** What a folded part of the form says, and whether it is open: an error in it must be seen. */
export type FormPart = { holds: string; isOpen: boolean };

export function formParts(form: ServiceForm, errors: FormErrors | undefined): Record<Part, FormPart> {
  const partOf = (part: Part): FormPart => ({
    holds: holdsInWords[part](form) || 'Nothing entered',
    isOpen: fieldsOfParts[part].some((name) => errors?.fields[name] !== undefined),
  });
  return {
    who: partOf('who'),
    joining: partOf('joining'),
    contact: partOf('contact'),
    times: partOf('times'),
    places: partOf('places'),
  };
}

const holdsInWords: Readonly<Record<Part, (form: ServiceForm) => string>> = {
  who: ({ values, terms }) =>
    joined([
      agesInWords(values),
      values.eligibility_description && 'who it is for',
      lines(values.service_areas).join(', '),
      lines(values.languages).join(', '),
      values.interpretation_services && 'interpreters',
      terms.length > 0 && `${terms.length} ${terms.length === 1 ? 'subject' : 'subjects'}`,
    ]),
  joining: ({ values }) =>
    joined([
      values.application_process && 'how to join',
      values.wait_time && `wait: ${values.wait_time}`,
      values.fees_description || (values.cost_options && 'prices'),
      values.required_documents && 'documents to bring',
    ]),
  contact: ({ values }) => joined([values.phone, values.email, values.url]),
  times: ({ values }) =>
    dayCodes
      .map((code, index) => ({
        name: dayNames[index]!.slice(0, 3),
        isOpen: weekRows.some(({ key, day }) => day === code && values[`opens_${key}`]),
      }))
      .filter(({ isOpen }) => isOpen)
      .map(({ name }) => name)
      .join(', '),
  places: ({ values }) =>
    joined([
      [values.address_1, values.city, values.postal_code].filter(Boolean).join(', '),
      counted(lines(values.other_places), 'more place', 'more places'),
      counted(lines(values.accessibility), 'line about access', 'lines about access'),
      ...remoteWayChoices
        .filter(({ value }) => lines(values.remote_ways).includes(value))
        .map(({ text }) => text.toLowerCase()),
    ]),
};

function agesInWords({ minimum_age: from, maximum_age: to }: ServiceForm['values']): string | undefined {
  if (from && to) return `ages ${from} to ${to}`;
  if (from) return `from age ${from}`;
  return to ? `up to age ${to}` : undefined;
}

const lines = (text: string | undefined) =>
  (text ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

function counted(list: readonly string[], one: string, several: string): string | undefined {
  return list.length > 0 ? `${list.length} ${list.length === 1 ? one : several}` : undefined;
}

const maxLength = 120;

/** What there is, in one line, that begins with a capital. */
function joined(parts: readonly (string | false | undefined)[]): string {
  const text = parts.filter(Boolean).join(' · ');
  const short = text.length > maxLength ? `${text.slice(0, maxLength).trimEnd()}…` : text;
  // An address of email or of a website stays as it is.
  return /^\S*[@/]/.test(short) ? short : short.slice(0, 1).toUpperCase() + short.slice(1);
}
