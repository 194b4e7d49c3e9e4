import { type Kysely, sql } from 'kysely';

/**
 * What people ask for before they choose a service, as far as its entry says it for certain. The rows of the services that a site has already
 * are written once all migrations are done.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table service_offers (
      service_id text primary key references services on delete cascade,
      -- How it meets people: in-person, home, phone, online.
      ways text[] not null,
      -- free, step-free, hearing-loop, self-referral.
      features text[] not null,
      -- Languages besides English, by their names.
      languages text[] not null,
      -- The postcodes that the words of its areas name, each by its first letters and digits.
      area_codes text[] not null,
      -- Whether those are all that it covers.
      is_whole_area boolean not null
    )`.execute(db);
  // To find the outlines around a place.
  await sql`create index service_area_extents_extent on service_area_extents using gist (extent)`.execute(db);
}
