import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '../../platform/database/index.ts';
import type { CatalogueRow, HoursRow, Meaning, PlaceRow } from './catalogue.ts';
import type { TermRow } from './terms.ts';
import { rangesIn } from './weeks.ts';

/** What a transaction sees: the library's version, and which transactions it sees. */
export type Sight = { version: number; snapshot: string };

export async function findSight(trx: Trx): Promise<Sight> {
  const { rows } = await sql<Sight>`
    select version, pg_current_snapshot()::text as snapshot from library_version`.execute(trx);
  return rows[0]!;
}

/** Whether the row was written by a transaction that was not seen then, and is one of this database's. */
function isNewSince(snapshot: string): RawBuilder<unknown> {
  const then = sql`${snapshot}::pg_snapshot`;
  return sql`(changed_in >= pg_snapshot_xmin(${then}) and changed_in < pg_snapshot_xmax(pg_current_snapshot())
    and not pg_visible_in_snapshot(changed_in, ${then}))`;
}

/** The services of which something has changed since then, those included that are gone. */
export async function listChangedIds(trx: Trx, snapshot: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from services where ${isNewSince(snapshot)}
    union select service_id from service_touches where ${isNewSince(snapshot)}`.execute(trx);
  return rows.map(({ id }) => id);
}

type ServiceRow = Omit<CatalogueRow, 'places' | 'hours' | 'termIds'>;
type Key = { name: string; id: string };

/** The services that are listed, in the order of their names. */
export function listRowsAfter(trx: Trx, { name, id }: Key, limit: number): Promise<CatalogueRow[]> {
  return listRows(trx, sql`(s.sort_name, s.id) > (${name}, ${id}) order by s.sort_name, s.id limit ${limit}`);
}

export function listRowsOf(trx: Trx, ids: readonly string[]): Promise<CatalogueRow[]> {
  return listRows(trx, sql`s.id = any(${[...ids]}) order by s.sort_name, s.id`);
}

async function listRows(trx: Trx, which: RawBuilder<unknown>): Promise<CatalogueRow[]> {
  const { rows } = await sql<ServiceRow>`
    select s.id, s.sort_name as name, floor(extract(epoch from s.last_modified) * 1000)::float8 as "modifiedMs",
      s.minimum_age as "minimumAge", s.maximum_age as "maximumAge", s.organization_id as "organizationId",
      s.week::text, s.search::text, c.status as capacity, x.median_days as "medianDays",
      coalesce(not r.accepts or r.channels = '{}', false) as "isClosed",
      exists (select from service_area_extents a where a.service_id = s.id) as "hasAreas"
    from services s
    left join service_capacity c on c.service_id = s.id
    left join service_referral_settings r on r.service_id = s.id
    left join service_responsiveness x on x.service_id = s.id
    where s.status = 'active' and ${which}`.execute(trx);
  const ids = rows.map(({ id }) => id);
  const places = byService(await listPlaces(trx, ids));
  const hours = byService(await listHours(trx, ids));
  const terms = byService(await listTerms(trx, ids));
  return rows.map((row) => ({
    ...row,
    places: (places.get(row.id) ?? []).map((place) => ({ ...place, week: place.week ?? row.week })),
    hours: hours.get(row.id) ?? [],
    termIds: (terms.get(row.id) ?? []).map(({ termId }) => termId),
  }));
}

type OfService<T> = T & { serviceId: string };

function byService<T>(rows: readonly OfService<T>[]): Map<string, OfService<T>[]> {
  return Map.groupBy(rows, ({ serviceId }) => serviceId);
}

type PlaceFound = OfService<Omit<PlaceRow, 'week'> & { week: string | null }>;

/** Most places have the week of their service, and need not write it again. */
async function listPlaces(trx: Trx, ids: readonly string[]): Promise<PlaceFound[]> {
  const { rows } = await sql<PlaceFound>`
    select service_id as "serviceId", number, p.week::text as week, l.listed is not null as "isListed",
      cube_ll_coord(p.point, 1) as x, cube_ll_coord(p.point, 2) as y, cube_ll_coord(p.point, 3) as z
    from (
      select p.service_id, p.number, p.point, nullif(p.week, s.week) as week
      from service_places p join services s on s.id = p.service_id where p.service_id = any(${[...ids]})) as p
    full join (select service_id, number, true as listed from service_at_locations where service_id = any(${[...ids]})) as l
      using (service_id, number)
    order by service_id, number`.execute(trx);
  return rows;
}

async function listHours(trx: Trx, ids: readonly string[]): Promise<OfService<HoursRow>[]> {
  const { rows } = await sql<OfService<HoursRow & { during: string }>>`
    select service_id as "serviceId", number, during::text, opens, closes, monthly, weekday, nth, month_day, every, remainder,
      valid_from, valid_to
    from service_hours where service_id = any(${[...ids]})`.execute(trx);
  return rows.map(({ during, ...row }) => ({ ...row, ranges: rangesIn(during) }));
}

async function listTerms(trx: Trx, ids: readonly string[]): Promise<OfService<{ termId: string }>[]> {
  const { rows } = await sql<OfService<{ termId: string }>>`
    select service_id as "serviceId", term_id as "termId" from service_taxonomy_terms
    where service_id = any(${[...ids]})`.execute(trx);
  return rows;
}

export async function listAllTerms(trx: Trx): Promise<TermRow[]> {
  const { rows } = await sql<TermRow>`
    select t.id, t.name, t.sort_name as "sortName", t.parent_id as "parentId", t.taxonomy_id as "taxonomyId",
      x.name as taxonomy
    from taxonomy_terms t left join taxonomies x on x.id = t.taxonomy_id`.execute(trx);
  return rows;
}

/** What a saying means; `spoken` are the stems of the saying, as they follow each other. */
export type SynonymRow = Meaning & { spoken: string };

export async function listAllSynonyms(trx: Trx): Promise<SynonymRow[]> {
  const { rows } = await sql<SynonymRow>`
    with meanings as materialized (
      select meaning, tsvector_to_array(to_tsvector('library', meaning)) as stems
      from (select distinct meaning from search_synonyms) as each)
    select distinct given.stems as spoken, meaning as text, meanings.stems
    from search_synonyms given join meanings using (meaning) order by spoken, text`.execute(trx);
  return rows;
}

/** The words that are new since then; all of them for none. */
export async function listWords(trx: Trx, snapshot?: string): Promise<{ word: string; stem: string }[]> {
  const { rows } = await sql<{ word: string; stem: string }>`
    select word, word_stem(word) as stem from search_words
    where ${snapshot === undefined ? sql`true` : isNewSince(snapshot)}`.execute(trx);
  return rows;
}

/** What is small enough to be read anew as a whole: how many rows it has, and whether one of them is new since then. */
export type Small = { rows: number; isNew: boolean };

export async function findSmall(trx: Trx, snapshot: string): Promise<{ terms: Small; synonyms: Small }> {
  const { rows } = await sql<{ terms: Small; synonyms: Small }>`
    select
      (select json_build_object('rows', count(*), 'isNew', coalesce(bool_or(${isNewSince(snapshot)}), false))
        from (select changed_in from taxonomies union all select changed_in from taxonomy_terms) as t) as terms,
      (select json_build_object('rows', count(*), 'isNew', coalesce(bool_or(${isNewSince(snapshot)}), false))
        from search_synonyms) as synonyms`.execute(trx);
  return rows[0]!;
}
