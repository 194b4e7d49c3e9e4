import { readForm } from '../../../platform/html/index.ts';
import { badRequest, Problem } from '../../../platform/problem/index.ts';
import type { Shown } from '../form/merge-form.ts';
import { formFields, type ServiceForm } from '../form/service-form.ts';

/** What somebody sent with the form of a service. @throws Problem `bad-request` for what no form of ours sends. */
export function readServiceForm(body: unknown): {
  typed: ServiceForm;
  shown: Shown;
  organisation: string;
  newId: string;
} {
  const fields = [...formFields, 'shown', 'organisation', 'new_id'];
  const { shown, organisation, new_id: newId = '', ...values } = readForm(body, fields);
  const terms = [(body as Record<string, unknown>).terms ?? []]
    .flat()
    .filter((each) => typeof each === 'string');
  return {
    typed: { values, terms },
    shown: readShown(shown ?? ''),
    organisation: (organisation ?? '').trim(),
    newId,
  };
}

function readShown(text: string): Shown {
  const parts = new URLSearchParams(text);
  if ([...formFields, 'terms'].every((name) => parts.has(name))) return Object.fromEntries(parts);
  throw new Problem(badRequest, 'Open the page again and send its form as it is.');
}
