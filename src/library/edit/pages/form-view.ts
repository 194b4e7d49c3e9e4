import type { Db } from '../../../platform/database/index.ts';
import {
  changedFormProblem,
  type FormErrors,
  readChoices,
  readUntrimmedFields,
} from '../../../platform/html/index.ts';
import { dayCodes, dayNames } from '../../hours/week.ts';
import { listUsedTerms, type UsedTerm } from '../../hsds/taxonomies-store.ts';
import type { Service } from '../../model/service.ts';
import { locate } from '../../postcodes/locate.ts';
import type { Point } from '../../postcodes/postcodes-store.ts';
import { groupByTaxonomy } from '../../view/service-view.ts';
import { openTimes } from '../../view/times.ts';
import { findTermDocuments } from '../edit-service-store.ts';
import { labels, remoteWayChoices, statusChoices } from '../form/labels.ts';
import { typedPostcodes } from '../form/lines.ts';
import { mainPlaceIndex } from '../form/place.ts';
import {
  type FormReferences,
  fingerprintsOf,
  formFields,
  formOf,
  type ServiceForm,
  type ShownFields,
  shownSchedules,
} from '../form/service-form.ts';
import { weekOf, weekRows } from '../form/week-rows.ts';
import { formParts } from './form-parts.ts';

/** Reads the form of a service. @throws Problem `bad-request` if our page did not send it. */
export function readServiceForm(body: unknown): {
  typed: ServiceForm;
  shown: ShownFields;
  organisation: string;
  newId: string;
} {
  const fields = [...formFields, 'shown', 'organisation', 'new_id'];
  const { shown, organisation, new_id: newId = '', ...values } = readUntrimmedFields(body, fields);
  const ways = readChoices(body, 'remote_ways').join('\n');
  return {
    typed: { values: { ...values, remote_ways: ways }, terms: readChoices(body, 'terms') },
    shown: readShownFields(shown ?? ''),
    organisation: (organisation ?? '').trim(),
    newId,
  };
}

function readShownFields(text: string): ShownFields {
  const parts = new URLSearchParams(text);
  if ([...formFields, 'terms'].every((name) => parts.has(name))) return Object.fromEntries(parts);
  throw changedFormProblem();
}

/** Loads what the form refers to: the terms it offers, and the points of its postcodes. */
export async function loadFormReferences(db: Db, { values, terms }: ServiceForm): Promise<FormReferences> {
  const [offered, documents, point, points] = await Promise.all([
    listUsedTerms(db),
    findTermDocuments(db, terms),
    findPoint(db, values.postal_code ?? ''),
    findPoints(db, typedPostcodes(values)),
  ]);
  return {
    terms: offered.map((term) => {
      const document = documents.get(term.id);
      return document === undefined ? term : JSON.parse(document);
    }),
    point,
    points,
  };
}

async function findPoint(db: Db, postcode: string): Promise<Point | undefined> {
  const place = await locate(db, postcode);
  return place && { latitude: place.latitude, longitude: place.longitude };
}

async function findPoints(db: Db, postcodes: readonly string[]): Promise<Map<string, Point>> {
  const points = new Map<string, Point>();
  for (const postcode of postcodes) {
    const point = await findPoint(db, postcode);
    if (point) points.set(postcode, point);
  }
  return points;
}

/** The form for its template, with the parts of the service that the form cannot edit. */
export function formView(
  service: Service,
  form: ServiceForm,
  { terms, today, errors }: { terms: readonly UsedTerm[]; today: string; errors?: FormErrors | undefined },
) {
  const chosen = new Set(form.terms);
  const mainPlace = service.service_at_locations?.[mainPlaceIndex(service)];
  const ways = (form.values.remote_ways ?? '').split('\n');
  return {
    values: form.values,
    errors,
    parts: formParts(form, errors),
    labels,
    statusChoices,
    shown: shownAsText(fingerprintsOf(formOf(service))),
    week: dayCodes.map((code, index) => ({
      name: dayNames[index],
      keys: weekRows.filter(({ day }) => day === code).map(({ key }) => key),
    })),
    otherTimes: openTimes(weekOf(shownSchedules(service)).others, today),
    placeName: mainPlace?.location?.name,
    hasOtherPlaces: form.values.other_places !== '',
    remoteWayChoices: remoteWayChoices.map((each) => ({ ...each, checked: ways.includes(each.value) })),
    termGroups: groupByTaxonomy(terms).map(({ taxonomy, options }) => ({
      taxonomy,
      options: options.map((term) => ({ ...term, checked: chosen.has(term.id) })),
    })),
  };
}

function shownAsText(shown: ShownFields): string {
  return new URLSearchParams(shown).toString();
}
