import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import { metresPerMile } from '../postcodes/earth.ts';
import type { Point } from '../postcodes/postcodes-store.ts';
import { inTsquery, type PracticeQuery } from './practice-query.ts';
import { type KnownPractice, practiceColumnsSql } from './practices-store.ts';
import type { SimilarWord } from './spelling.ts';

/** `distance` is in metres; null without `near`, and for practices without coordinates. */
export type FoundPractice = KnownPractice & { distance: number | null };

export type PracticeFilter = {
  /** The words as they were typed; empty for all practices. */
  typed: readonly string[];
  query: PracticeQuery | undefined;
  near: Point | undefined;
  /** The last practice of the previous page. */
  afterCode: string | undefined;
  /** Leaves out practices that have closed by this day. */
  openOn: string | undefined;
  limit: number;
};

/** Matching practices: the best first, then the nearest, then by name. */
export async function listMatchingPractices(db: Db, filter: PracticeFilter): Promise<FoundPractice[]> {
  const { query, near, afterCode, openOn, limit } = filter;
  const where = query ? sql`search @@ to_tsquery('simple', ${inTsquery(query)})` : sql`true`;
  const order = sql.join(
    [query && sql`rank`, near && sql`distance`, sql`sort_name`, sql`ods_code`].filter((key) => !!key),
  );
  const after = sql`(${order}) > (select ${order} from found where ods_code = ${afterCode})`;
  const { rows } = await sql<FoundPractice>`
    with found as not materialized (
      select *, ${query ? rankOfSql(filter.typed, query) : sql`0`} as rank, ${distanceToSql(near)} as distance
      from practices where ${where} and ${openOn === undefined ? sql`true` : sql`(closed_on > ${openOn}::date) is not false`})
    select ${practiceColumnsSql}, nullif(distance, 'infinity') as distance from found
    where ${afterCode === undefined ? sql`true` : after} order by ${order} limit ${limit}`.execute(db);
  return rows;
}

/**
 * How far down the list a practice stands: 0 if its code was typed, 1 if its name begins with the text, 2 if its name has all words,
 * 3 if name, address and code together do. For `any`, plus 10 for each missing word. Plus 0.5 if only a less similar word
 * matched.
 */
function rankOfSql(typed: readonly string[], query: PracticeQuery): RawBuilder<unknown> {
  const inName = inTsquery({ ...query, wanted: 'all' }, 'A');
  const grade = sql`case when ods_code = ${typed.join('').toUpperCase()} then 0
    when starts_with(sort_name, ${typed.join(' ')}) then 1
    when search @@ to_tsquery('simple', ${inName}) then 2 else 3 end`;
  if (query.wanted === 'any') {
    const has = query.words.map(
      (word) => sql`(search @@ to_tsquery('simple', ${inTsquery({ wanted: 'all', words: [word] })}))::int`,
    );
    return sql`10 * (${query.words.length} - (${sql.join(has, sql` + `)})) + ${grade}`;
  }
  if (query.words.every((alternatives) => alternatives.length === 1)) return grade;
  const mostSimilar = inTsquery({
    ...query,
    words: query.words.map((alternatives) => alternatives.slice(0, 1)),
  });
  return sql`${grade} + case when search @@ to_tsquery('simple', ${mostSimilar}) then 0 else 0.5 end`;
}

function distanceToSql(near: Point | undefined): RawBuilder<unknown> {
  if (!near) return sql`null::float8`;
  const here = sql`point(${near.longitude}::float8, ${near.latitude}::float8)`;
  return sql`coalesce((point(longitude, latitude) <@> ${here}) * ${metresPerMile}::float8, 'infinity'::float8)`;
}

export async function matchesAny(db: Db, query: PracticeQuery): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from practices where search @@ to_tsquery('simple', ${inTsquery(query)})) as found`.execute(
    db,
  );
  return rows[0]!.found;
}

/** Similar words for each word that is neither a word of a practice nor the beginning of one, the most similar first. */
export async function findSimilarWords(db: Db, words: readonly string[]): Promise<SimilarWord[]> {
  if (words.length === 0) return [];
  const { rows } = await sql<SimilarWord>`
    select given.word, alike.word as candidate, alike.similarity
    from unnest(${[...words]}::text[]) as given(word)
    cross join lateral (
      select w.word, similarity(w.word, given.word) as similarity from practice_words w where w.word % given.word
      order by similarity(w.word, given.word) desc, w.word limit 10) as alike
    -- No word begins with it: in byte order, “~” comes after every letter and digit.
    where not exists (
      select from practice_words w where w.word >= given.word and w.word <= given.word || '~')
    order by alike.similarity desc, alike.word`.execute(db);
  return rows;
}
