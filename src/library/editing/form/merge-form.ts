import { hash } from 'node:crypto';
import { formFields, type ServiceForm } from './service-form.ts';

/** What a form showed when it was opened, field by field, in a few letters each: the form brings it back. */
export type Shown = Readonly<Record<string, string>>;

export function shownOf(form: ServiceForm): Shown {
  return Object.fromEntries([...formFields, 'terms'].map((name) => [name, fingerprint(textIn(form, name))]));
}

/**
 * What somebody typed, brought together with what others changed meanwhile: fields that were not touched are as they are
 * now. `conflicts` are those that both changed.
 */
export function mergeForm(
  now: ServiceForm,
  typed: ServiceForm,
  shown: Shown,
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
