import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import { inTsquery, type PracticeQuery } from './practice-query.ts';
import { type KnownPractice, practiceColumns } from './store.ts';

export type Near = { readonly latitude: number; readonly longitude: number };
/** `distance` is in metres; null where nobody asked, or the practice's place is not known. */
export type FoundPractice = KnownPractice & { distance: number | null };

export type PracticeFilter = {
  /** The words as they were typed, which the name may begin with; empty for all practices. */
  typed: readonly string[];
  query: PracticeQuery | undefined;
  near: Near | undefined;
  /** The last practice of the page before. */
  afterCode: string | undefined;
  limit: number;
};

/** A word that was typed, and one of practices that is like it. */
type AlikeWord = { word: string; alike: string; similarity: number };

const metresInMile = 1609.344;

/** The practices that fit, in their order: best matches first, then the nearest, then by name. */
export async function findPractices(db: Db, filter: PracticeFilter): Promise<FoundPractice[]> {
  const { query, near, afterCode, limit } = filter;
  const where = query ? sql`search @@ to_tsquery('simple', ${inTsquery(query)})` : sql`true`;
  const order = sql.join(
    [query && sql`misfit`, near && sql`distance`, sql`sort_name`, sql`ods_code`].filter((key) => !!key),
  );
  const after = sql`(${order}) > (select ${order} from found where ods_code = ${afterCode})`;
  const { rows } = await sql<FoundPractice>`
    with found as not materialized (
      select *, ${query ? misfitOf(filter.typed, query) : sql`0`} as misfit, ${distanceTo(near)} as distance
      from practices where ${where})
    select ${practiceColumns}, nullif(distance, 'infinity') as distance from found
    where ${afterCode === undefined ? sql`true` : after} order by ${order} limit ${limit}`.execute(db);
  return rows;
}

/**
 * 0 for the practice whose code was typed, 1 where the name begins with what was typed, 2 where the name has all of the
 * words, 3 where name, address and code together have them. Where any word will do, how many are missing counts before
 * all that; of misspelt words, whether the word that is most like it was found, or another that is like it.
 */
function misfitOf(typed: readonly string[], query: PracticeQuery): RawBuilder<unknown> {
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
  if (query.words.every((alike) => alike.length === 1)) return grade;
  const maxAlike = inTsquery({ ...query, words: query.words.map((alike) => alike.slice(0, 1)) });
  return sql`${grade} + case when search @@ to_tsquery('simple', ${maxAlike}) then 0 else 0.5 end`;
}

function distanceTo(near: Near | undefined): RawBuilder<unknown> {
  if (!near) return sql`null::float8`;
  const here = sql`point(${near.longitude}::float8, ${near.latitude}::float8)`;
  return sql`coalesce((point(longitude, latitude) <@> ${here}) * ${metresInMile}::float8, 'infinity'::float8)`;
}

/** Whether any practice fits. */
export async function isAnyPractice(db: Db, query: PracticeQuery): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from practices where search @@ to_tsquery('simple', ${inTsquery(query)})) as found`.execute(
    db,
  );
  return rows[0]!.found;
}

/**
 * For each word that no practice is called by, nor has the beginning of, words of practices that are like it, the most
 * alike first.
 */
export async function findAlikeWords(db: Db, words: readonly string[]): Promise<AlikeWord[]> {
  if (words.length === 0) return [];
  const { rows } = await sql<AlikeWord>`
    select given.word, alike.word as alike, alike.similarity
    from unnest(${[...words]}::text[]) as given(word)
    cross join lateral (
      select w.word, similarity(w.word, given.word) as similarity from practice_words w where w.word % given.word
      order by similarity(w.word, given.word) desc, w.word limit 10) as alike
    where not exists (
      select from practice_words w where w.word >= given.word and w.word <= given.word || '~')
    order by alike.similarity desc, alike.word`.execute(db);
  return rows;
}
