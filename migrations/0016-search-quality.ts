import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await stems(db);
  await rarity(db);
  await synonyms(db);
  await sql`analyze search_stems, search_synonyms, search_words`.execute(db);
}

/** Sayings are compared by their stems, small words included: “can’t cope” is more than “cope”. */
async function stems(db: Kysely<unknown>): Promise<void> {
  await sql`create text search dictionary library_stem (template = snowball, language = english)`.execute(db);
  await sql`
    create function word_stem(word text) returns text language sql immutable strict parallel safe
    return coalesce((ts_lexize('library_stem'::regdictionary, plain_text(word)))[1], plain_text(word))`.execute(
    db,
  );
  await sql`
    create function stems_of(given text) returns text language sql immutable strict parallel safe
    return (
      select string_agg(word_stem(word), ' ' order by place)
      from string_to_table(practice_text(given), ' ') with ordinality as each(word, place))`.execute(db);
}

/** In how many services each stem is; the empty one stands for all services. A rare word says more than a common one. */
async function rarity(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table search_stems (stem text collate "C" primary key, services integer not null)`.execute(db);
  await sql`
    insert into search_stems
    select word, ndoc from ts_stat('select search from services where status = ''active''')
    union all select '', count(*) from services where status = 'active'`.execute(db);
}

/** What people say, and what services call it. What stood here before was ours too: no site could edit it. */
async function synonyms(db: Kysely<unknown>): Promise<void> {
  await sql`drop table search_synonyms`.execute(db);
  await sql`
    create table search_synonyms (
      saying text collate "C",
      meaning text collate "C",
      stems text collate "C" not null generated always as (stems_of(saying)) stored,
      added_at timestamptz,
      added_by text,
      primary key (saying, meaning)
    )`.execute(db);
  // What a search finds changes with them, so what is remembered of the library ends.
  await sql`
    create trigger library_changes after insert or update or delete or truncate on search_synonyms
    for each statement execute function library_changes()`.execute(db);
  await sql`create index search_synonyms_stems on search_synonyms (stems)`.execute(db);
  const pairs = firstSynonyms();
  await sql`
    insert into search_synonyms (saying, meaning)
    select * from unnest(${pairs.map(([saying]) => saying)}::text[], ${pairs.map(([, meaning]) => meaning)}::text[])`.execute(
    db,
  );
  // So that a saying's words are spelt right, too.
  await sql`
    insert into search_words
    select distinct word from search_synonyms cross join string_to_table(saying, ' ') as word
    where word ~ '^[a-z]{4,30}$' on conflict do nothing`.execute(db);
}

/** Each line, with those below it that are indented, has sayings and after the sign what all of them mean. */
function firstSynonyms(): (readonly [string, string])[] {
  const text = readFileSync(join(import.meta.dirname, '0016-sayings.txt'), 'utf8').trim();
  return text.split(/\n(?! )/).flatMap((line) => {
    const [sayings = [], meanings = []] = line
      .split(/\s=\s/)
      .map((side) => side.split(',').map((each) => each.trim().replace(/\s+/g, ' ')));
    return sayings.flatMap((saying) => meanings.map((meaning) => [saying, meaning] as const));
  });
}
