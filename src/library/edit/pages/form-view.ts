import type { Db } from '../../../platform/database/index.ts';
import { type FormErrors, notAsSent, readUntrimmedFields } from '../../../platform/html/index.ts';
import { listUsedTerms, type UsedTerm } from '../../hsds/taxonomies-store.ts';
import type { Service } from '../../model/service.ts';
import { locate } from '../../postcodes/locate.ts';
import { groupByTaxonomy } from '../../view/service-view.ts';
import { openTimes } from '../../view/times.ts';
import { labels, statusChoices } from '../form/labels.ts';
import {
  type FormReferences,
  fingerprintsOf,
  formFields,
  formOf,
  type ServiceForm,
  type ShownFields,
  shownSchedules,
} from '../form/service-form.ts';
import { days, weekOf, weekRows } from '../form/week.ts';
import { findTermDocuments } from '../store.ts';

/** Reads the form of a service. @throws Problem `bad-request` if our page did not send it. */
export function readServiceForm(body: unknown): {
  typed: ServiceForm;
  shown: ShownFields;
  organisation: string;
  newId: string;
} {
  const fields = [...formFields, 'shown', 'organisation', 'new_id'];
  const { shown, organisation, new_id: newId = '', ...values } = readUntrimmedFields(body, fields);
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

function readShown(text: string): ShownFields {
  const parts = new URLSearchParams(text);
  if ([...formFields, 'terms'].every((name) => parts.has(name))) return Object.fromEntries(parts);
  throw notAsSent();
}

/** Loads what the form refers to: the terms it offers, and the point of its postcode. */
export async function loadFormReferences(db: Db, { values, terms }: ServiceForm): Promise<FormReferences> {
  const [offered, documents, place] = await Promise.all([
    listUsedTerms(db),
    findTermDocuments(db, terms),
    locate(db, values.postal_code ?? ''),
  ]);
  return {
    terms: offered.map((term) => {
      const document = documents.get(term.id);
      return document === undefined ? term : JSON.parse(document);
    }),
    point: place && { latitude: place.latitude, longitude: place.longitude },
  };
}

/** The form for its template, with the parts of the service that the form cannot edit. */
export function formView(
  service: Service,
  form: ServiceForm,
  { terms, today, errors }: { terms: readonly UsedTerm[]; today: string; errors?: FormErrors | undefined },
) {
  const chosen = new Set(form.terms);
  const [first, ...otherPlaces] = service.service_at_locations ?? [];
  return {
    values: form.values,
    errors,
    labels,
    statusChoices,
    shown: shownAsText(fingerprintsOf(formOf(service))),
    week: Object.entries(days).map(([code, name]) => ({
      name,
      keys: weekRows.filter(({ day }) => day === code).map(({ key }) => key),
    })),
    otherTimes: openTimes(weekOf(shownSchedules(service)).others, today),
    placeName: first?.location?.name,
    otherPlaces: otherPlaces.length,
    costs: (service.cost_options ?? []).length,
    termGroups: groupByTaxonomy(terms).map(({ taxonomy, options }) => ({
      taxonomy,
      options: options.map((term) => ({ ...term, checked: chosen.has(term.id) })),
    })),
  };
}

function shownAsText(shown: ShownFields): string {
  return new URLSearchParams(shown).toString();
}
