import { type Kysely, sql } from 'kysely';

/**
 * What the lists of organisations, taxonomies, terms and services at locations are sorted, searched and answered by.
 * The import makes it; here it is made once, in SQL, of what is stored already. Of a document's values every character
 * stays as its source gave it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await helpers(db);
  await organizations(db);
  await taxonomies(db);
  await serviceAtLocations(db);
  await sql`drop function json_single_values, json_without, json_described`.execute(db);
}

/** For the rows that exist now, and dropped at the end. */
async function helpers(db: Kysely<unknown>): Promise<void> {
  // What there is one of, without what is nested: the short form that HSDS's lists have.
  await sql`
    create function json_single_values(document json) returns text language sql strict
    return (
      select '{' || coalesce(string_agg(to_json(key)::text || ':' || value::text, ',' order by place), '') || '}'
      from json_each(document) with ordinality as each(key, value, place)
      where json_typeof(value) not in ('object', 'array'))`.execute(db);
  await sql`
    create function json_without(document json, variadic names text[]) returns text language sql
    return (
      select '{' || coalesce(string_agg(to_json(key)::text || ':' || value::text, ',' order by place), '') || '}'
      from json_each(document) with ordinality as each(key, value, place)
      where key <> all (names))`.execute(db);
  // HSDS demands a description of organisations, taxonomies and terms; where the source has none, it is empty.
  await sql`
    create function json_described(document text) returns text language sql
    return case when document::json->>'description' is null
      then left(document, -1) || ',"description":""}' else document end`.execute(db);
}

async function organizations(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table organizations
      add column sort_name text collate "C" not null generated always as (plain_text(name)) stored,
      add column summary text,
      add column search tsvector,
      add column updated_at timestamptz`.execute(db);
  await sql`
    update organizations set document = json_described(document),
      summary = json_single_values(json_described(document)::json),
      search = service_search(name, document::json->>'alternate_name', document::json->>'description', null),
      updated_at = now()`.execute(db);
  await sql`
    alter table organizations
      alter column summary set not null, alter column search set not null, alter column updated_at set not null`.execute(
    db,
  );
  await sql`create index organizations_by_name on organizations (sort_name, id)`.execute(db);
  await sql`create index organizations_search on organizations using gin (search)`.execute(db);
}

async function taxonomies(db: Kysely<unknown>): Promise<void> {
  for (const table of ['taxonomies', 'taxonomy_terms']) {
    await sql`
      alter table ${sql.table(table)}
        add column sort_name text collate "C" not null generated always as (plain_text(name)) stored,
        add column search tsvector,
        add column updated_at timestamptz`.execute(db);
    await sql`
      update ${sql.table(table)} set document = json_described(document), updated_at = now(),
        search = service_search(name, document::json->>'code', document::json->>'description', null)`.execute(
      db,
    );
    await sql`
      alter table ${sql.table(table)}
        alter column search set not null, alter column updated_at set not null`.execute(db);
    await sql`create index ${sql.id(`${table}_by_name`)} on ${sql.table(table)} (sort_name, id)`.execute(db);
  }
  await sql`alter table taxonomy_terms add column parent_id text`.execute(db);
  await sql`update taxonomy_terms set parent_id = document::json->>'parent_id'`.execute(db);
  await sql`create index taxonomy_terms_parent on taxonomy_terms (parent_id)`.execute(db);
  await sql`create index taxonomy_terms_search on taxonomy_terms using gin (search)`.execute(db);
}

/**
 * A service at one of its locations. An answer takes its service from `service_documents`: repeated here, it would
 * triple what is written of a library in which most services have one location.
 */
async function serviceAtLocations(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table service_at_locations (
      service_id text not null references services on delete cascade,
      -- Its place in the service's list.
      number integer not null,
      -- Not unique: nothing keeps a feed from giving one id to two of them.
      id text not null,
      -- Of the service, so that the list is read in its order from one index.
      sort_name text collate "C" not null,
      listed boolean not null,
      document text not null,
      summary text not null,
      primary key (service_id, number)
    )`.execute(db);
  await sql`
    insert into service_at_locations (service_id, number, id, sort_name, listed, document, summary)
    select s.id, place, given->>'id', s.sort_name, s.status = 'active',
      left(json_without(given, 'service', 'service_id', 'location_id', 'name', 'status'), -1) || links
        || ',"name":' || to_json(s.name)::text || ',"status":' || to_json(s.status)::text || '}',
      left(json_without(json_single_values(given)::json, 'service_id', 'location_id'), -1)
        || links || coalesce(',"location":' || json_single_values(given->'location'), '') || '}'
    from services s join service_documents d on d.service_id = s.id
    cross join lateral json_array_elements(coalesce(d.document::json->'service_at_locations', '[]'))
      with ordinality as list(given, place)
    cross join lateral (
      select ',"service_id":' || to_json(s.id)::text || coalesce(
        ',"location_id":' || to_json(coalesce(given->>'location_id', given->'location'->>'id'))::text, '') as links)
      as links
    where given->>'id' is not null`.execute(db);
  await sql`create index service_at_locations_id on service_at_locations (id)`.execute(db);
  await sql`
    create index service_at_locations_by_name on service_at_locations (sort_name, service_id, number)
    where listed`.execute(db);
}
