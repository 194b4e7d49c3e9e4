import { type RawBuilder, sql } from 'kysely';
import {
  availabilityJsonSql,
  deliveryModeOfSettingsSql,
  responsivenessJsonSql,
  summaryDocument,
} from '../../library/index.ts';
import type { Db, Trx } from '../../platform/database/index.ts';
import type { IndexedHours, IndexedPlace, IndexedService } from '../index/service-columns.ts';
import type { TermRow } from '../index/terms.ts';
import type { Meaning } from '../typed-words/vocabulary.ts';

/** The library's version in a transaction, and its snapshot in PostgreSQL's words: the transactions whose rows it sees. */
export type LibrarySnapshot = { version: number; snapshot: string };

export async function findSnapshot(trx: Trx): Promise<LibrarySnapshot> {
  const { rows } = await sql<LibrarySnapshot>`
    select version, pg_current_snapshot()::text as snapshot from library_version`.execute(trx);
  return rows[0]!;
}

/**
 * Whether the row was written by a transaction that the snapshot did not see, so that a transaction that began early and
 * committed late is not missed. Rows of a restored backup may have numbers that this PostgreSQL has not
 * reached yet: they count as old.
 */
function isNewSinceSql(snapshot: string): RawBuilder<unknown> {
  const earlier = sql`${snapshot}::pg_snapshot`;
  return sql`(changed_in >= pg_snapshot_xmin(${earlier}) and changed_in < pg_snapshot_xmax(pg_current_snapshot())
    and not pg_visible_in_snapshot(changed_in, ${earlier}))`;
}

/** The services that were changed or deleted since the snapshot. */
export async function listChangedIds(trx: Trx, snapshot: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from services where ${isNewSinceSql(snapshot)}
    union select service_id from service_touches where ${isNewSinceSql(snapshot)}`.execute(trx);
  return rows.map(({ id }) => id);
}

type IndexRow = Omit<IndexedService, 'summary' | 'places' | 'hours' | 'termIds'> & {
  /** The service as lists show it, in JSON, without what this site adds to it. */
  summary: string | null;
  service_capacity: object | null;
  responsiveness: object | null;
  places: PlaceRow[] | null;
  hours: IndexedHours[] | null;
  termIds: string[] | null;
};
/** `week` is null if it is the same as the service's, which is the usual case. */
type PlaceRow = Omit<IndexedPlace, 'week'> & { week: string | null };

/**
 * Makes PostgreSQL join the tables beside `services` as a whole, which takes half as long as looking up each service.
 * During an import its statistics may say that there are few rows, and it would scan all of them for each service.
 */
const forceHashJoinsSql = sql`
  select set_config('work_mem', '16MB', true), set_config('enable_nestloop', 'off', true)`;
const cursor = sql.id('listed_services');

/** The listed services in the order of their names, in batches. */
export async function* everyService(trx: Trx, atOnce: number): AsyncGenerator<IndexedService[]> {
  await forceHashJoinsSql.execute(trx);
  await sql`declare ${cursor} no scroll cursor for ${selectListedSql(() => sql`true`)}`.execute(trx);
  for (;;) {
    const { rows } = await sql<IndexRow>`fetch ${sql.lit(atOnce)} from ${cursor}`.execute(trx);
    if (rows.length === 0) break;
    yield rows.map(toIndexedService);
  }
  await sql`close ${cursor}`.execute(trx);
}

export async function listServices(trx: Trx, ids: readonly string[]): Promise<IndexedService[]> {
  const { rows } = await selectListedSql((id) => sql`${id} = any(${[...ids]})`).execute(trx);
  return rows.map(toIndexedService);
}

/** The day on which somebody last checked the entry of a service `s`, or wrote it if that is not known. */
export const checkedOnSql = sql`coalesce(s.assured_on, (s.last_modified at time zone 'UTC')::date)`;

function selectListedSql(condition: (id: RawBuilder<unknown>) => RawBuilder<unknown>): RawBuilder<IndexRow> {
  const isWantedId = condition(sql`service_id`);
  return sql<IndexRow>`
    select s.id, s.sort_name as name,
      floor(extract(epoch from greatest(s.last_modified, c.set_at)) * 1000)::float8 as "modifiedMs",
      (extract(epoch from ${checkedOnSql}) * 1000)::float8 as "checkedMs",
      s.minimum_age as "minimumAge", s.maximum_age as "maximumAge", s.organization_id as "organizationId",
      s.week::text, s.search::text, c.status as availability, x.median_days as "medianDays",
      coalesce(not r.accepts or r.channels = '{}', false) as "takesNoReferrals", ${deliveryModeOfSettingsSql} as "deliveryMode",
      exists (select from service_area_extents a where a.service_id = s.id) as "hasOutlinedArea",
      exists (select from service_area_extents a where a.service_id = s.id and a.extent is null) as "hasUnclearAreas",
      coalesce(o.area_codes, '{}') as "areaCodes", coalesce(o.is_whole_area, false) as "isWholeArea",
      coalesce(o.ways, '{}') as ways, coalesce(o.features, '{}') as features,
      coalesce(o.languages, '{}') as languages,
      d.summary, case when c.service_id is not null then ${availabilityJsonSql(sql`s.id`)} end as service_capacity,
      case when x.service_id is not null then ${responsivenessJsonSql(sql`s.id`)} end as responsiveness,
      p.places, h.hours, t.terms as "termIds"
    from services s
    left join service_documents d on d.service_id = s.id
    left join service_offers o on o.service_id = s.id
    left join service_capacity c on c.service_id = s.id
    left join service_referral_settings r on r.service_id = s.id
    left join service_responsiveness x on x.service_id = s.id
    left join (
      select service_id, json_agg(term_id) as terms from service_taxonomy_terms
      where ${isWantedId} group by service_id) t on t.service_id = s.id
    left join (
      select service_id, json_agg(h) as hours from service_hours h
      where ${isWantedId} group by service_id) h on h.service_id = s.id
    left join (
      select service_id, json_agg(json_build_object('number', number, 'x', cube_ll_coord(point, 1),
        'y', cube_ll_coord(point, 2), 'z', cube_ll_coord(point, 3), 'isListed', listed is not null, 'week', week)
        order by number) as places
      from (
        select p.service_id, p.number, p.point, nullif(p.week, s.week)::text as week
        from service_places p join services s on s.id = p.service_id where ${isWantedId}) p
      full join (select service_id, number, true as listed from service_at_locations where ${isWantedId}) l
        using (service_id, number)
      group by service_id) p on p.service_id = s.id
    where s.status = 'active' and ${condition(sql`s.id`)} order by s.sort_name, s.id`;
}

function toIndexedService({
  summary,
  service_capacity,
  responsiveness,
  places,
  hours,
  termIds,
  ...row
}: IndexRow): IndexedService {
  return {
    ...row,
    summary:
      summary === null ? null : summaryDocument({ document: summary, service_capacity, responsiveness }),
    places: (places ?? []).map((place) => ({ ...place, week: place.week ?? row.week })),
    hours: hours ?? [],
    termIds: termIds ?? [],
  };
}

export async function listAllTerms(trx: Trx): Promise<TermRow[]> {
  const { rows } = await sql<TermRow>`
    select t.id, t.name, t.sort_name as "sortName", t.parent_id as "parentId", t.taxonomy_id as "taxonomyId",
      x.name as taxonomy
    from taxonomy_terms t left join taxonomies x on x.id = t.taxonomy_id`.execute(trx);
  return rows;
}

/** What a saying means. `saying` has its stems, with a space between them. */
export type SynonymRow = Meaning & { saying: string };

export async function listAllSynonyms(trx: Trx): Promise<SynonymRow[]> {
  const { rows } = await sql<SynonymRow>`
    with meanings as materialized (
      select meaning, tsvector_to_array(to_tsvector('library', meaning)) as stems
      from (select distinct meaning from search_synonyms) as each)
    select distinct given.stems as saying, meaning as text, meanings.stems
    from search_synonyms given join meanings using (meaning) order by saying, text`.execute(trx);
  return rows;
}

/** The words that are new since the snapshot; without it, all words. */
export async function listWords(
  trx: Trx,
  snapshot?: string,
): Promise<{ word: string; stem: string; isStopWord: boolean }[]> {
  const { rows } = await sql<{ word: string; stem: string; isStopWord: boolean }>`
    select word, word_stem(word) as stem, ts_lexize('english_stem', word) = '{}' as "isStopWord" from search_words
    where ${snapshot === undefined ? sql`true` : isNewSinceSql(snapshot)}`.execute(trx);
  return rows;
}

/** Whether a table has changed that is always read as a whole: its number of rows, and whether one is new. */
type SmallTable = { rows: number; isNew: boolean };

export async function findTermChange(trx: Trx, snapshot: string): Promise<SmallTable> {
  const { rows } = await sql<SmallTable>`
    select count(*)::int as rows, coalesce(bool_or(${isNewSinceSql(snapshot)}), false) as "isNew"
    from (select changed_in from taxonomies union all select changed_in from taxonomy_terms) as each`.execute(
    trx,
  );
  return rows[0]!;
}

export async function findSynonymChange(trx: Trx, snapshot: string): Promise<SmallTable> {
  const { rows } = await sql<SmallTable>`
    select count(*)::int as rows, coalesce(bool_or(${isNewSinceSql(snapshot)}), false) as "isNew"
    from search_synonyms`.execute(trx);
  return rows[0]!;
}

/** The stem of each word, which all its forms share. */
export async function findStems(db: Db, words: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ word: string; stem: string }>`
    select word, word_stem(word) as stem from unnest(${[...words]}::text[]) as word`.execute(db);
  return new Map(rows.map(({ word, stem }) => [word, stem]));
}

/** The version of the library, which grows with each transaction that changes the library. */
export async function findLibraryVersion(db: Db): Promise<number> {
  const { rows } = await sql<{ version: number }>`
    select version from library_version`.execute(db);
  return rows[0]!.version;
}
