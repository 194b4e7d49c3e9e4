import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // In byte order, so that the postcodes of a district or a sector lie side by side in the key's index.
  await sql`
    create table postcodes (
      postcode text collate "C" primary key,
      latitude double precision,
      longitude double precision,
      check ((latitude is null) = (longitude is null))
    )`.execute(db);
  await practiceSearch(db);
}

/** GP practices are found by what people type of their name, town, address, postcode or code. */
async function practiceSearch(db: Kysely<unknown>): Promise<void> {
  // Words between single spaces, in small letters without accents. “St Mary’s” is typed with its apostrophe or without.
  await sql`
    create function practice_text(given text) returns text language sql immutable strict parallel safe
    return trim(regexp_replace(replace(plain_text(given), '''', ''), '[^[:alnum:]]+', ' ', 'g'))`.execute(db);
  // The name's words weigh A and all others B, so that one index finds both and tells them apart.
  await sql`
    alter table practices
      add column sort_name text collate "C" not null generated always as (practice_text(name)) stored,
      add column search tsvector not null generated always as (
        setweight(to_tsvector('simple'::regconfig, practice_text(name)), 'A')
        || setweight(to_tsvector('simple'::regconfig, practice_text(
          coalesce(address, '') || ' ' || coalesce(city, '') || ' ' || coalesce(postcode, '') || ' '
          || replace(coalesce(postcode, ''), ' ', '') || ' ' || ods_code)), 'B')) stored`.execute(db);
  // Without its list of entries to be sorted in later, which would slow searches down for a while after an import.
  await sql`create index practices_search on practices using gin (search) with (fastupdate = off)`.execute(
    db,
  );
  await sql`create index practices_by_name on practices (sort_name, ods_code)`.execute(db);
  // Every word that practices are called by: what is typed is compared with these when it is misspelt.
  await sql`create table practice_words (word text collate "C" primary key)`.execute(db);
  await sql`
    create index practice_words_alike on practice_words using gin (word gin_trgm_ops) with (fastupdate = off)`.execute(
    db,
  );
  await sql`
    insert into practice_words
    select distinct word from practices cross join unnest(tsvector_to_array(search)) as word
    where word ~ '^[a-z]{4,30}$'`.execute(db);
}
