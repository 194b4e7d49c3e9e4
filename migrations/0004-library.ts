import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await textSearch(db);
  await services(db);
  await taxonomies(db);
  await practices(db);
}

/**
 * The bodies in the SQL standard's form bind their names here and now, wherever the extension unaccent was put, so
 * that an index made with them means the same under every search_path.
 */
async function textSearch(db: Kysely<unknown>): Promise<void> {
  await sql`create text search configuration library (copy = english)`.execute(db);
  await sql`
    alter text search configuration library
    alter mapping for hword, hword_part, word with unaccent, english_stem`.execute(db);
  // For comparing and sorting names: “Café” and “cafe” are the same to whoever looks for it.
  await sql`
    create function plain_text(given text) returns text language sql immutable strict parallel safe
    return lower(unaccent('unaccent'::regdictionary, given))`.execute(db);
  // Title above other names above description above terms: the letters are the weights that ranking counts by.
  await sql`
    create function service_search(title text, names text, description text, terms text) returns tsvector
    language sql immutable parallel safe
    return setweight(to_tsvector('library'::regconfig, coalesce(title, '')), 'A')
      || setweight(to_tsvector('library'::regconfig, coalesce(names, '')), 'B')
      || setweight(to_tsvector('library'::regconfig, coalesce(description, '')), 'C')
      || setweight(to_tsvector('library'::regconfig, coalesce(terms, '')), 'D')`.execute(db);
  // Every word that the library spells: what is typed is compared with these when it is misspelt or unfinished.
  await sql`create table search_words (word text collate "C" primary key)`.execute(db);
  await sql`create index search_words_alike on search_words using gin (word gin_trgm_ops)`.execute(db);
  await synonyms(db);
}

/** What people say, in small letters without accents, and what services call it: the site may edit these. */
async function synonyms(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table search_synonyms (
      word text collate "C",
      meaning text,
      primary key (word, meaning)
    )`.execute(db);
  await sql`
    insert into search_synonyms (word, meaning) values
      ('died', 'bereavement'), ('dies', 'bereavement'), ('death', 'bereavement'), ('widow', 'bereavement'),
      ('grief', 'bereavement'), ('bills', 'debt'), ('bills', 'money'), ('lonely', 'befriending')`.execute(db);
}

async function services(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table organizations (
      id text primary key,
      name text not null,
      document text not null
    )`.execute(db);
  await sql`create index organizations_name on organizations (name)`.execute(db);
  // No foreign key to organizations: a feed may name one that it does not describe.
  await sql`
    create table services (
      id text primary key,
      name text not null,
      sort_name text collate "C" not null generated always as (plain_text(name)) stored,
      status text not null,
      organization_id text,
      search tsvector not null,
      last_modified timestamptz not null,
      imported_at timestamptz not null,
      updated_at timestamptz not null
    )`.execute(db);
  await sql`create index services_by_name on services (sort_name, id) where status = 'active'`.execute(db);
  await sql`create index services_search on services using gin (search)`.execute(db);
  await sql`create index services_organization on services (organization_id)`.execute(db);
  await sql`create index services_last_modified on services (last_modified)`.execute(db);
  // The finished HSDS answers, as JSON text that is sent as it stands. In a table of their own, so that filtering and
  // ranking read rows of a few hundred bytes.
  await sql`
    create table service_documents (
      service_id text primary key references services on delete cascade,
      document text not null,
      summary text not null,
      content_hash text not null
    )`.execute(db);
  // Only where it differs from the rule: a service accepts referrals, in its inbox on this site.
  await sql`
    create table service_referral_settings (
      service_id text primary key references services on delete cascade,
      accepts boolean not null default true,
      channels text[] not null default '{inbox}'
    )`.execute(db);
}

async function taxonomies(db: Kysely<unknown>): Promise<void> {
  await sql`create table taxonomies (id text primary key, name text not null, document text not null)`.execute(
    db,
  );
  await sql`
    create table taxonomy_terms (
      id text primary key,
      name text not null,
      taxonomy_id text,
      document text not null
    )`.execute(db);
  await sql`create index taxonomy_terms_taxonomy on taxonomy_terms (taxonomy_id)`.execute(db);
  await sql`
    create table service_taxonomy_terms (
      service_id text references services on delete cascade,
      term_id text references taxonomy_terms,
      primary key (service_id, term_id)
    )`.execute(db);
  await sql`create index service_taxonomy_terms_term on service_taxonomy_terms (term_id, service_id)`.execute(
    db,
  );
}

async function practices(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table practices (
      ods_code text primary key,
      name text not null,
      address text,
      city text,
      postcode text,
      latitude double precision,
      longitude double precision,
      phone text,
      channels text[] not null default '{document}',
      imported_at timestamptz not null,
      updated_at timestamptz not null
    )`.execute(db);
}
