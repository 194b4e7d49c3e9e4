import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import type { Filters, Form } from './list-query.ts';
import type { TextQuery } from './text-query.ts';

export type Window = { limit: number; offset: number };
/** `contents` are the services' JSON texts, separated by commas. */
export type Found = { total: number; size: number; contents: string };

/** What one service is in each form; `s` is its row and `d` its finished documents. */
const forms: Readonly<Record<Form, RawBuilder<string>>> = {
  summary: sql`d.summary`,
  document: sql`d.document`,
  minimal: sql`
    '{"id":' || to_json(s.id) || ',"last_modified":"' ||
    to_char(s.last_modified at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"}'`,
};

/** The services of one page, in their order, joined to one text by PostgreSQL so that nothing is taken apart here. */
export async function findServices(
  db: Db,
  filters: Filters,
  text: TextQuery | undefined,
  form: Form,
  window: Window,
): Promise<Found> {
  const where = conditions(filters, text);
  const rank = text ? rankOf(text) : sql`0`;
  const { rows } = await sql<Found>`
    with page as materialized (
      select s.id, s.sort_name, ${rank} as rank from services s where ${where}
      order by rank desc, s.sort_name, s.id limit ${window.limit} offset ${window.offset})
    select (select count(*) from services s where ${where}) as total, count(*) as size,
      coalesce(string_agg(${forms[form]}, ',' order by page.rank desc, page.sort_name, page.id), '') as contents
    from page join services s on s.id = page.id join service_documents d on d.service_id = page.id`.execute(
    db,
  );
  return rows[0]!;
}

/** The services that come after an id, in the order of their ids: for handing out all of them bit by bit. */
export async function findServicesAfter(
  db: Db,
  filters: Filters,
  text: TextQuery | undefined,
  form: Form,
  after: string,
  limit: number,
): Promise<{ id: string; content: string }[]> {
  const { rows } = await sql<{ id: string; content: string }>`
    select s.id, ${forms[form]} as content
    from services s join service_documents d on d.service_id = s.id
    where ${conditions(filters, text)} and s.id > ${after} order by s.id limit ${limit}`.execute(db);
  return rows;
}

export function conditions(filters: Filters, text: TextQuery | undefined): RawBuilder<unknown> {
  const { termIds, taxonomyId, organizationId, modifiedAfter } = filters;
  const all = [sql`s.status = 'active'`];
  if (text) all.push(sql`s.search @@ ${tsquery(text)}`);
  if (termIds) {
    all.push(
      sql`s.id in (select service_id from service_taxonomy_terms where term_id = any(${[...termIds]}))`,
    );
  }
  if (taxonomyId !== undefined) {
    all.push(sql`
      s.id in (select st.service_id from service_taxonomy_terms st join taxonomy_terms t on t.id = st.term_id
        where t.taxonomy_id = ${taxonomyId})`);
  }
  if (organizationId !== undefined) all.push(sql`s.organization_id = ${organizationId}`);
  if (modifiedAfter) all.push(sql`s.last_modified >= ${modifiedAfter}`);
  return sql.join(all, sql` and `);
}

export function tsquery(text: TextQuery): RawBuilder<unknown> {
  if ('words' in text) {
    const each = text.words.map(anyOf);
    return sql`(${sql.join(each, text.wanted === 'all' ? sql` && ` : sql` || `)})`;
  }
  const words = sql`websearch_to_tsquery('library', ${text.web})`;
  return text.ending === '' ? words : sql`(${words} && to_tsquery('library', ${text.ending}))`;
}

/** A meaning of several words is a phrase. */
function anyOf(words: readonly string[]): RawBuilder<unknown> {
  return sql`websearch_to_tsquery('library', ${words.map((word) => `"${word}"`).join(' or ')})`;
}

/**
 * Title above other names above description above terms; long texts, which hold every word, count a little less. Where
 * any word will do, how many of them a service has counts above all that: that rank is always less than 1.
 */
export function rankOf(text: TextQuery): RawBuilder<unknown> {
  const rank = rankBy(tsquery(text));
  if ('words' in text) {
    if (text.wanted === 'all') return rank;
    const counts = text.words.map((each) => sql`(s.search @@ ${anyOf(each)})::int`);
    return sql`${sql.join(counts, sql` + `)} + ${rank}`;
  }
  return text.exact === undefined
    ? rank
    : sql`${rankBy(tsquery({ web: text.exact, ending: '' }))} + 0.1 * ${rank}`;
}

function rankBy(query: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`ts_rank('{0.1, 0.3, 0.6, 1}', s.search, ${query}, 1)`;
}

export async function isAnyService(db: Db, filters: Filters, text: TextQuery): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from services s where ${conditions(filters, text)}) as found`.execute(db);
  return rows[0]!.found;
}

/** Words of the library that begin like this one, the shortest first. */
export async function findWordsStarting(db: Db, start: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ word: string }>`
    select word from search_words where word >= ${start} and word < ${`${start}~`}
    order by length(word), word limit ${limit}`.execute(db);
  return rows.map(({ word }) => word);
}

export type AlikeWord = { word: string; alike: string; similarity: number };

/** For each word that nothing is known of, some words of the library that are like it, the most alike first. */
export async function findAlikeWords(db: Db, words: readonly string[]): Promise<AlikeWord[]> {
  const { rows } = await sql<AlikeWord>`
    select given.word, alike.word as alike, alike.similarity
    from unnest(${[...words]}::text[]) as given(word)
    cross join lateral (
      select w.word, similarity(w.word, given.word) as similarity from search_words w where w.word % given.word
      order by similarity(w.word, given.word) desc, w.word limit 10) as alike
    where not exists (select from search_words w where w.word = given.word)
      and not exists (select from search_synonyms y where y.word = given.word)
    order by alike.similarity desc, alike.word`.execute(db);
  return rows;
}

/** What words of everyday language mean in the words that services use. */
export async function findMeanings(db: Db, words: readonly string[]): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ word: string; meanings: string[] }>`
    select word, array_agg(meaning order by meaning) as meanings from search_synonyms
    where word = any(${[...words]}) group by word`.execute(db);
  return new Map(rows.map(({ word, meanings }) => [word, meanings]));
}
