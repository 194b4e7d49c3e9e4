import { hash } from 'node:crypto';
import { momentOf } from '../../platform/clock/index.ts';
import { dayMs } from '../../platform/durations.ts';
import { type FilterRow, filterRow } from '../filter/filter-row.ts';
import {
  type ReportedAvailability,
  readCapacities,
  readReportedAvailability,
} from '../model/availability.ts';
import type { Service } from '../model/service.ts';
import { wordsOf } from '../model/words.ts';
import { type HiddenPlaces, withoutPlaces } from './confidential-places-store.ts';

type Term = NonNullable<NonNullable<Service['attributes']>[number]['taxonomy_term']>;
export type Taxonomy = NonNullable<Term['taxonomy_detail']>;

/** A service from its source, with the hashes that show whether it has changed. */
export type ComparableService = {
  id: string;
  organizationId: string | null;
  lastModified: Date;
  /** Without `last_modified`, which we set for some sources, and `metadata`, which only describes changes. */
  contentHash: string;
  /** Of everything the source says, with the availability and the source's own date, if any. */
  sourceHash: string;
  availability: ReportedAvailability | undefined;
  service: Service;
  content: Content;
  /** The content as JSON text. */
  text: string;
  /** As the source wrote it, or the time of reading. */
  lastModifiedText: string;
  readAt: Date;
};

/** A service as it is stored: its answers as JSON text, and what search finds it by. */
export type ServiceRow = Omit<
  ComparableService,
  'service' | 'content' | 'text' | 'lastModifiedText' | 'readAt'
> & {
  name: string;
  status: string;
  /** The day the entry was last checked, such as 2026-11-21. */
  assuredOn: string | null;
  document: string;
  summary: string;
  otherNames: string;
  description: string;
  termNames: string;
  organization: Service['organization'];
  terms: readonly Term[];
  /** The ids of `terms`, and of terms that the service names only by id. */
  termIds: readonly string[];
  /** The ids of the service at each of its locations. A feed may leave them out. */
  atLocations: readonly (string | undefined)[];
  filter: FilterRow;
};

export const maxSearchedLength = 20_000;

/** Fields that answers add to the document. They are stored apart, belong to another site or depend on the request. */
type AnswerFields = Omit<Service, 'last_modified'> & {
  service_capacity?: unknown;
  capacities?: unknown;
  responsiveness?: unknown;
  distance_metres?: unknown;
  in_service_area?: unknown;
};

type Content = Omit<Service, 'last_modified'>;

/** Makes a checked service comparable. If its source does not say when it changed, `now` counts. */
export function comparableService(
  service: Service,
  lastModified: Date | undefined,
  now: Date,
): ComparableService {
  const { last_modified = now.toISOString(), ...fields } = service;
  const {
    service_capacity,
    responsiveness: _,
    distance_metres: __,
    in_service_area: ___,
    ...others
  } = fields as AnswerFields;
  const { availability: counted, others: capacities } = readCapacities(others.capacities);
  const own = { ...others, capacities };
  if (capacities === undefined) delete own.capacities;
  const stated = readReportedAvailability(service_capacity);
  // Something else under this name stays in the document.
  const content = stated || service_capacity === undefined ? own : { ...own, service_capacity };
  const text = JSON.stringify(content);
  const compared = content.metadata ? JSON.stringify({ ...content, metadata: undefined }) : text;
  const contentHash = hash('sha256', compared, 'base64url');
  const sources = [contentHash, stated && sourceText(stated), lastModified?.toISOString()];
  const availability = stated ?? counted;
  return {
    id: service.id,
    organizationId: service.organization?.id ?? service.organization_id ?? null,
    lastModified: lastModified ?? now,
    contentHash,
    sourceHash: sources.filter(Boolean).join(' '),
    availability: availability && isFarInFuture(availability.setAt, now) ? undefined : availability,
    service,
    content,
    text,
    lastModifiedText: last_modified,
    readAt: now,
  };
}

/** This text is part of stored hashes, so its form must never change: a new one would undo all edits at the next import. */
function sourceText({ status, waitingTime, setAt }: ReportedAvailability): string {
  return JSON.stringify({ status, waitingTime, saidAt: setAt });
}

/** Prepares a service for storing. Unchanged services of an import do not need this. */
export function serviceRow(comparable: ComparableService): ServiceRow {
  const { service, content, text, lastModifiedText, readAt, ...compared } = comparable;
  const { organization } = service;
  const terms = termsOf(service);
  return {
    ...compared,
    name: service.name,
    status: service.status,
    assuredOn: assuredDay(service.assured_date, readAt),
    document: `${text.slice(0, -1)},"last_modified":${JSON.stringify(lastModifiedText)}}`,
    summary: JSON.stringify(summaryOf(content, lastModifiedText)),
    otherNames: [service.alternate_name, organization?.name, organization?.alternate_name].join(' '),
    description: [service.description, service.eligibility_description].join(' ').slice(0, maxSearchedLength),
    termNames: terms.map(({ name, code }) => `${name} ${code ?? ''}`).join(' '),
    organization,
    terms,
    termIds: [...new Set([...terms.map(({ id }) => id), ...bareTermIds(service)])],
    atLocations: withoutRepeats((service.service_at_locations ?? []).map((each) => each.id)),
    filter: filterRow(service, readAt),
  };
}

/** The same row without places. It counts as the same content, so that an import of the same entry changes nothing. */
export function rowWithoutPlaces(row: ServiceRow, hidden: HiddenPlaces, now: Date): ServiceRow {
  const service = withoutPlaces(JSON.parse(row.document), hidden);
  const shown = serviceRow(comparableService(service, row.lastModified, now));
  const { contentHash, sourceHash, availability, terms } = row;
  return { ...shown, contentHash, sourceHash, availability, terms };
}

/** Null for a day in the future: it would keep the entry off every list of overdue checks. */
function assuredDay(assured: string | undefined, now: Date): string | null {
  const moment = assured === undefined ? undefined : momentOf(assured);
  return moment && !isFarInFuture(moment, now) ? moment.toISOString().slice(0, 10) : null;
}

/** The words that misspelt words are corrected to. */
export function searchWordsOf({ name, otherNames, description, termNames }: ServiceRow): Set<string> {
  return wordsOf(`${name} ${otherNames} ${description} ${termNames}`);
}

export function taxonomyIdOf(term: Term): string | null {
  return term.taxonomy_detail?.id ?? term.taxonomy_id ?? null;
}

export function termsOf({ attributes = [] }: Pick<Service, 'attributes'>): Term[] {
  return attributes.flatMap(({ taxonomy_term }) => taxonomy_term ?? []);
}

/** HSDS allows an attribute that names its term only by id. */
export function bareTermIds({ attributes = [] }: Pick<Service, 'attributes'>): string[] {
  return attributes.flatMap(({ taxonomy_term, taxonomy_term_id }) =>
    taxonomy_term ? [] : (taxonomy_term_id ?? []),
  );
}

export function taxonomiesOf(terms: readonly Pick<Term, 'taxonomy_detail'>[]): Taxonomy[] {
  return terms.flatMap(({ taxonomy_detail }) => taxonomy_detail ?? []);
}

/** The short form for lists: single values only, including those of fields that HSDS does not have. */
function summaryOf(service: Content, lastModified: string): object {
  const { organization, program } = service;
  return {
    ...singleValues(service),
    last_modified: lastModified,
    ...(organization && { organization: singleValues(organization) }),
    ...(program && { program: singleValues(program) }),
  };
}

/** A feed may link a service to a location twice under one id. Lists of locations have it once. */
function withoutRepeats(ids: readonly (string | undefined)[]): (string | undefined)[] {
  const earlierIds = new Set<string | undefined>();
  return ids.map((id) => {
    if (earlierIds.has(id)) return undefined;
    earlierIds.add(id);
    return id;
  });
}

/** The values of an object that are not objects or lists: the short form of HSDS's lists. */
export function singleValues(whole: object): object {
  const single: Record<string, unknown> = {};
  for (const key of Object.keys(whole)) {
    const value = (whole as Record<string, unknown>)[key];
    if (typeof value !== 'object') single[key] = value;
  }
  return single;
}

/** HSDS requires a description of organisations, taxonomies and terms. It is empty if the source has none. */
export function withDescription<T extends { description?: string | undefined }>(
  described: T,
): T & { description: string } {
  return { ...described, description: described.description ?? '' };
}

/** Clocks differ, and some sources give only days. */
const graceMs = dayMs;

/** Whether a source's date is more than a day in the future. Such a date is ignored. */
export function isFarInFuture(date: Date, now: Date): boolean {
  return date.getTime() > now.getTime() + graceMs;
}
