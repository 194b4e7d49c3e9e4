import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '../../platform/database/index.ts';
import { saidMembers, withMembers } from '../search/members-store.ts';
import { reachOfSettings } from '../services/reach-store.ts';
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

type ServiceRow = Omit<CatalogueRow, 'places' | 'hours' | 'termIds'> & {
  places: PlaceFound[] | null;
  hours: HoursFound[] | null;
  termIds: string[] | null;
};
/** Most places have the week of their service, and need not write it again: theirs is null. */
type PlaceFound = [
  number: number,
  x: number | null,
  y: number | null,
  z: number | null,
  isListed: boolean,
  week: string | null,
];
type HoursFound = Omit<HoursRow, 'ranges'> & { during: string };

/**
 * What is beside services is joined by all of them at once: to look it up for each takes PostgreSQL twice as long. While
 * an import is under way PostgreSQL may believe that there are few, and would go through all for each of them.
 */
const ofAllAtOnce = sql`
  select set_config('work_mem', '16MB', true), set_config('enable_nestloop', 'off', true)`;
const cursor = sql.id('catalogue_rows');

/** The services that are listed, in the order of their names, so many at a time. */
export async function* everyRow(trx: Trx, atOnce: number): AsyncGenerator<CatalogueRow[]> {
  await ofAllAtOnce.execute(trx);
  await sql`declare ${cursor} no scroll cursor for ${rowsOf(() => sql`true`)}`.execute(trx);
  for (;;) {
    const { rows } = await sql<ServiceRow>`fetch ${sql.lit(atOnce)} from ${cursor}`.execute(trx);
    if (rows.length === 0) break;
    yield rows.map(asRow);
  }
  await sql`close ${cursor}`.execute(trx);
}

export async function listRowsOf(trx: Trx, ids: readonly string[]): Promise<CatalogueRow[]> {
  const { rows } = await rowsOf((id) => sql`${id} = any(${[...ids]})`).execute(trx);
  return rows.map(asRow);
}

function rowsOf(which: (id: RawBuilder<unknown>) => RawBuilder<unknown>): RawBuilder<ServiceRow> {
  const beside = which(sql`service_id`);
  return sql<ServiceRow>`
    select s.id, s.sort_name as name,
      floor(extract(epoch from greatest(s.last_modified, c.said_at)) * 1000)::float8 as "modifiedMs",
      s.minimum_age as "minimumAge", s.maximum_age as "maximumAge", s.organization_id as "organizationId",
      s.week::text, s.search::text, c.status as capacity, x.median_days as "medianDays",
      coalesce(not r.accepts or r.channels = '{}', false) as "isClosed", ${reachOfSettings} as reach,
      exists (select from service_area_extents a where a.service_id = s.id) as "hasAreas",
      case when c.service_id is null and x.service_id is null then d.summary
        else ${withMembers(sql`d.summary`, saidMembers(sql`s.id`))} end as summary,
      p.places, h.hours, t.terms as "termIds"
    from services s
    left join service_documents d on d.service_id = s.id
    left join service_capacity c on c.service_id = s.id
    left join service_referral_settings r on r.service_id = s.id
    left join service_responsiveness x on x.service_id = s.id
    left join (
      select service_id, json_agg(term_id) as terms from service_taxonomy_terms
      where ${beside} group by service_id) t on t.service_id = s.id
    left join (
      select service_id, json_agg(h) as hours from service_hours h
      where ${beside} group by service_id) h on h.service_id = s.id
    left join (
      select service_id, json_agg(json_build_array(number, cube_ll_coord(point, 1), cube_ll_coord(point, 2),
        cube_ll_coord(point, 3), listed is not null, week) order by number) as places
      from (
        select p.service_id, p.number, p.point, nullif(p.week, s.week)::text as week
        from service_places p join services s on s.id = p.service_id where ${beside}) p
      full join (select service_id, number, true as listed from service_at_locations where ${beside}) l
        using (service_id, number)
      group by service_id) p on p.service_id = s.id
    where s.status = 'active' and ${which(sql`s.id`)} order by s.sort_name, s.id`;
}

function asRow({ places, hours, termIds, ...row }: ServiceRow): CatalogueRow {
  return {
    ...row,
    places: (places ?? []).map((place) => asPlace(place, row.week)),
    hours: (hours ?? []).map(({ during, ...each }) => ({ ...each, ranges: rangesIn(during) })),
    termIds: termIds ?? [],
  };
}

function asPlace([number, x, y, z, isListed, week]: PlaceFound, ofService: string): PlaceRow {
  return { number, x, y, z, isListed, week: week ?? ofService };
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
