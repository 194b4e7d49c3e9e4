import { sql } from 'kysely';
import type { Db, Trx } from '../../platform/database/index.ts';
import { remembered } from './remembered-store.ts';

/** What is known of a word that was typed. */
export type WordFacts = {
  word: string;
  stem: string;
  /** How many services have it. */
  services: number;
};

/** What a saying means: `query` is in the language of tsquery, `services` how many have it, or about so many. */
type Meaning = { text: string; query: string; services: number };
/** `at` is the place of its first word among those that were typed, from 0. */
export type Saying = { at: number; length: number; meanings: readonly Meaning[] };
/** What a word that may be unfinished is the beginning of: `stems` are those of words whose stems do not begin so. */
export type Beginning = { word: string; services: number; stems: readonly string[] };
export type SearchFacts = {
  /** How many services there are. */
  services: number;
  words: readonly WordFacts[];
  sayings: readonly Saying[];
  beginning: Beginning | null;
};

export const longestSaying = 5;

/** All that a search must know of its words, in one journey. @param version of the library, as the caller saw it. */
export async function findSearchFacts(
  db: Db,
  version: number,
  words: readonly string[],
  unfinished: string | undefined,
): Promise<SearchFacts> {
  const query = sql<SearchFacts>`
    with given as materialized (
      select word, place, word_stem(word) as stem
      from unnest(${[...words]}::text[]) with ordinality as each(word, place)),
    spoken as (
      select first.place as at, last.place - first.place + 1 as length, (
        select string_agg(stem, ' ' order by place) from given where place between first.place and last.place) as stems
      from given as first join given as last on last.place between first.place and first.place + ${longestSaying - 1})
    select
      coalesce((select services from search_stems where stem = ''), 0) as services,
      (select coalesce(json_agg(json_build_object(
          'word', word, 'stem', given.stem, 'services', coalesce(k.services, 0)) order by place), '[]')
        from given left join search_stems k on k.stem = given.stem) as words,
      (select coalesce(json_agg(json_build_object('at', at - 1, 'length', length, 'meanings', meanings)), '[]')
        from (
          select at, length, json_agg(json_build_object(
            'text', meaning, 'query', phraseto_tsquery('library', meaning)::text, 'services', (
              select coalesce(min(coalesce(k.services, 0)), 0)
              from unnest(tsvector_to_array(to_tsvector('library', meaning))) as part(stem)
              left join search_stems k using (stem))) order by meaning) as meanings
          from (select distinct at, length, meaning from spoken join search_synonyms using (stems)) as meant
          group by at, length) as said) as sayings,
      ${unfinished === undefined ? sql`null` : beginningOf(unfinished)} as beginning`;
  return (await remembered(db, version, query))[0]!;
}

function beginningOf(start: string) {
  const end = `${start}~`;
  return sql`json_build_object(
    'word', ${start}::text,
    'services', (select coalesce(sum(services), 0) from search_stems where stem >= ${start} and stem < ${end}),
    'stems', array(select distinct word_stem(word) from search_words
      where length(${start}) > 3 and word >= ${start} and word < ${end} and not starts_with(word_stem(word), ${start})))`;
}

/** Words that are spelt right: those of the services, or those that GP practices are called by. */
export type Vocabulary = 'search_words' | 'practice_words';

/** A practice's words may all be unfinished, so there the beginning of a known word is known. */
const afterKnown: Readonly<Record<Vocabulary, string>> = { search_words: '', practice_words: '~' };

export type AlikeWord = { word: string; alike: string; similarity: number };

/** For each word that a vocabulary does not know, some of its words that are like it, the most alike first. */
export async function findAlikeWords(
  db: Db,
  vocabulary: Vocabulary,
  words: readonly string[],
): Promise<AlikeWord[]> {
  if (words.length === 0) return [];
  const known = sql.table(vocabulary);
  const { rows } = await sql<AlikeWord>`
    select given.word, alike.word as alike, alike.similarity
    from unnest(${[...words]}::text[]) as given(word)
    cross join lateral (
      select w.word, similarity(w.word, given.word) as similarity from ${known} w where w.word % given.word
      order by similarity(w.word, given.word) desc, w.word limit 10) as alike
    where not exists (
      select from ${known} w where w.word >= given.word and w.word <= given.word || ${afterKnown[vocabulary]})
    order by alike.similarity desc, alike.word`.execute(db);
  return rows;
}

/** Words that are spelt right from now on. */
export async function saveSearchWords(trx: Trx, words: readonly string[]): Promise<void> {
  await sql`
    insert into search_words (word) select * from unnest(${words.toSorted()}::text[])
    on conflict do nothing`.execute(trx);
}

/** How rare words are changes slowly: it is counted again only when so many of the services have changed. */
const changedShare = 0.05;

/** Counts in how many services each word is, if enough of them have changed. */
export async function countStems(trx: Trx, changed: number): Promise<void> {
  const { rows } = await sql<{ stale: boolean }>`
    select ${changed} > ${changedShare}::float8 * coalesce(
      (select services from search_stems where stem = ''), 0) as stale`.execute(trx);
  if (!rows[0]!.stale) return;
  // Whoever else counts at the same time waits here, and does not meet half of the new counts.
  await sql`lock table search_stems in share row exclusive mode`.execute(trx);
  await sql`delete from search_stems`.execute(trx);
  await sql`
    insert into search_stems
    select word, ndoc from ts_stat('select search from services where status = ''active''')
    union all select '', count(*) from services where status = 'active'`.execute(trx);
  await sql`analyze search_stems`.execute(trx);
}
