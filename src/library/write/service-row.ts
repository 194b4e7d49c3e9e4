import { hash } from 'node:crypto';
import { momentOf } from '../../platform/clock/index.ts';
import { type FilterRow, filterRow } from '../filter/filter-row.ts';
import { type ReportedAvailability, readReportedAvailability } from '../model/availability.ts';
import type { Service } from '../model/service.ts';
import { wordsOf } from '../model/words.ts';

type Term = NonNullable<NonNullable<Service['attributes']>[number]['taxonomy_term']>;
export type Taxonomy = NonNullable<Term['taxonomy_detail']>;

/** A service as its source tells it: what it is compared by. */
export type ComparableService = {
  id: string;
  organizationId: string | null;
  lastModified: Date;
  /** Of the document but `last_modified`, which some sources leave to us, and `metadata`, which only tells of changes. */
  contentHash: string;
  /** Of all that the source says: of the room, too, and of its date where it gives one. */
  sourceHash: string;
  capacity: ReportedAvailability | undefined;
  service: Service;
  content: Content;
  /** The content as JSON text. */
  text: string;
  /** As it was written, or when it was read. */
  lastModifiedText: string;
  readAt: Date;
};

/** A service as it is stored: its finished answers as JSON text, and what it is found by. */
export type ServiceRow = Omit<
  ComparableService,
  'service' | 'content' | 'text' | 'lastModifiedText' | 'readAt'
> & {
  name: string;
  status: string;
  /** The day on which somebody last said that the entry is right, such as 2026-11-21. */
  assuredOn: string | null;
  document: string;
  summary: string;
  otherNames: string;
  description: string;
  termNames: string;
  organization: Service['organization'];
  terms: readonly Term[];
  /** Of these, and of those that the service names by their ids alone. */
  termIds: readonly string[];
  /** The ids of the service at each of its locations; a feed may leave one out. */
  atLocations: readonly (string | undefined)[];
  filter: FilterRow;
};

export const maxSearchedLength = 20_000;

/** What answers have besides the document: it is kept apart from that, or is another site's, or depends on who asked. */
type AnswerFields = Omit<Service, 'last_modified'> & {
  service_capacity?: unknown;
  responsiveness?: unknown;
  distance_metres?: unknown;
  in_service_area?: unknown;
};

type Content = Omit<Service, 'last_modified'>;

/** A checked service as it is compared. One whose source does not say when it changed is stamped with `now`. */
export function comparableService(
  service: Service,
  lastModified: Date | undefined,
  now: Date,
): ComparableService {
  const { last_modified = now.toISOString(), ...said } = service;
  const {
    service_capacity,
    responsiveness: _,
    distance_metres: __,
    in_service_area: ___,
    ...own
  } = said as AnswerFields;
  const capacity = readReportedAvailability(service_capacity);
  // In another form it stays what it was.
  const content = capacity || service_capacity === undefined ? own : { ...own, service_capacity };
  const text = JSON.stringify(content);
  const compared = content.metadata ? JSON.stringify({ ...content, metadata: undefined }) : text;
  const contentHash = hash('sha256', compared, 'base64url');
  const sources = [contentHash, capacity && JSON.stringify(capacity), lastModified?.toISOString()];
  return {
    id: service.id,
    organizationId: service.organization?.id ?? service.organization_id ?? null,
    lastModified: lastModified ?? now,
    contentHash,
    sourceHash: sources.filter(Boolean).join(' '),
    capacity: capacity && isInFuture(capacity.saidAt, now) ? undefined : capacity,
    service,
    content,
    text,
    lastModifiedText: last_modified,
    readAt: now,
  };
}

/** Prepares it for storing, which most of what is imported again does not need. */
export function serviceRow(said: ComparableService): ServiceRow {
  const { service, content, text, lastModifiedText, readAt, ...compared } = said;
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

/** Null also for a day that has not been: an entry that is said to be checked then would be in no list of what is overdue. */
function assuredDay(assured: string | undefined, now: Date): string | null {
  const moment = assured === undefined ? undefined : momentOf(assured);
  return moment && !isInFuture(moment, now) ? moment.toISOString().slice(0, 10) : null;
}

/** The words that somebody who misspells one may mean. */
export function searchWordsOf({ name, otherNames, description, termNames }: ServiceRow): Set<string> {
  return wordsOf(`${name} ${otherNames} ${description} ${termNames}`);
}

export function taxonomyIdOf(term: Term): string | null {
  return term.taxonomy_detail?.id ?? term.taxonomy_id ?? null;
}

export function termsOf({ attributes = [] }: Pick<Service, 'attributes'>): Term[] {
  return attributes.flatMap(({ taxonomy_term }) => taxonomy_term ?? []);
}

/** HSDS lets an attribute name its term without having it. */
export function bareTermIds({ attributes = [] }: Pick<Service, 'attributes'>): string[] {
  return attributes.flatMap(({ taxonomy_term, taxonomy_term_id }) =>
    taxonomy_term ? [] : (taxonomy_term_id ?? []),
  );
}

export function taxonomiesOf(terms: readonly Pick<Term, 'taxonomy_detail'>[]): Taxonomy[] {
  return terms.flatMap(({ taxonomy_detail }) => taxonomy_detail ?? []);
}

/** The short form of the lists: what there is one of, also in fields that HSDS does not know. */
function summaryOf(service: Content, lastModified: string): object {
  const { organization, program } = service;
  return {
    ...singleValues(service),
    last_modified: lastModified,
    ...(organization && { organization: singleValues(organization) }),
    ...(program && { program: singleValues(program) }),
  };
}

/** A feed may join a service to a place twice under one id; lists of places have it once. */
function withoutRepeats(ids: readonly (string | undefined)[]): (string | undefined)[] {
  const before = new Set<string | undefined>();
  return ids.map((id) => {
    if (before.has(id)) return undefined;
    before.add(id);
    return id;
  });
}

/** What there is one of in a thing, without what is nested: the short form that HSDS's lists have. */
export function singleValues(thing: object): object {
  const single: Record<string, unknown> = {};
  for (const key of Object.keys(thing)) {
    const value = (thing as Record<string, unknown>)[key];
    if (typeof value !== 'object') single[key] = value;
  }
  return single;
}

/** HSDS demands a description of organisations, taxonomies and terms; where the source has none, it is empty. */
export function withDescription<T extends { description?: string | undefined }>(
  thing: T,
): T & { description: string } {
  return { ...thing, description: thing.description ?? '' };
}

/** Clocks differ, and some sources know only days. */
const graceMs = 24 * 60 * 60_000;

/** Whether a source gives something a date that has not been: it has not happened, and counts for nothing. */
export function isInFuture(date: Date, now: Date): boolean {
  return date.getTime() > now.getTime() + graceMs;
}
