import { type Kysely, sql } from 'kysely';
import { filterRow } from '../src/library/filter/filter-row.ts';
import { saveFilterRows } from '../src/library/filter/store.ts';
import type { Service } from '../src/library/model/service.ts';
import type { Trx } from '../src/platform/database/index.ts';

/** What services are filtered by besides their text: where, for whom, when, whether they have room, which area. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table services
      add column minimum_age double precision,
      add column maximum_age double precision,
      -- When it is open in a week, in minutes since Monday's first. What is not so every week is in service_hours.
      add column week int4multirange not null default '{}'`.execute(db);
  await places(db);
  await hours(db);
  await sql`
    create table service_area_extents (
      service_id text not null references services on delete cascade,
      -- In degrees, longitude first. Null is an area of which only the name is known.
      extent polygon,
      holes polygon[] not null default '{}'
    )`.execute(db);
  await sql`create index service_area_extents_service on service_area_extents (service_id)`.execute(db);
  await capacity(db);
  await fill(db);
  await version(db);
}

async function places(db: Kysely<unknown>): Promise<void> {
  // A row for each location of a service, and one with the number 0 for a service without any: so that a list which is
  // sorted by distance has them all, in the order of the index. Those without coordinates come last in it.
  await sql`
    create table service_places (
      service_id text not null references services on delete cascade,
      number integer not null,
      point cube,
      week int4multirange not null,
      -- Whether it is the service's only row, which then need not be compared with others.
      alone boolean not null,
      primary key (service_id, number)
    )`.execute(db);
  await sql`create index service_places_point on service_places using gist (point)`.execute(db);
}

async function hours(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table service_hours (
      service_id text not null references services on delete cascade,
      -- Of the location's place in the service's list; 0 for the service, wherever it is.
      number integer not null,
      -- As in services.week; empty where no weekday is said.
      during int4multirange not null,
      -- Minutes of the day; past 1440 where it closes on the next one. Null where no time is said.
      opens smallint,
      closes smallint,
      monthly boolean not null,
      -- 0 is Monday; its number in the month, and the day of the month, count from the end where they are negative.
      weekday smallint,
      nth smallint,
      month_day smallint,
      -- Every so many weeks or months, namely those whose number since 1970 leaves this remainder. Null is not known.
      every smallint not null,
      remainder smallint,
      valid_from date,
      valid_to date
    )`.execute(db);
  await sql`create index service_hours_service on service_hours (service_id)`.execute(db);
}

async function capacity(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table service_capacity (
      service_id text primary key references services on delete cascade,
      status text not null check (status in ('capacity', 'waitlist', 'no-capacity')),
      -- In words, such as “about six weeks”.
      waiting_time text,
      said_at timestamptz not null,
      -- The account that said it; null where the service's source did.
      said_by text
    )`.execute(db);
}

const atOnce = 500;

/** The rows of the services that are there. */
async function fill(db: Kysely<unknown>): Promise<void> {
  const { rows: clock } = await sql<{ now: Date }>`select now() as now`.execute(db);
  for (let after = ''; ; ) {
    const { rows } = await sql<{ id: string; document: string }>`
      select service_id as id, document from service_documents where service_id > ${after}
      order by service_id limit ${atOnce}`.execute(db);
    const services = rows.map(({ document }) => JSON.parse(document) as Service);
    // A migration runs in a transaction.
    await saveFilterRows(
      db as unknown as Trx,
      services.map((service) => filterRow(service, clock[0]!.now)),
    );
    if (rows.length < atOnce) return;
    after = rows.at(-1)!.id;
  }
}

/**
 * A number that grows with each transaction which changes the library, so that what is counted of it can be remembered
 * until then. It grows at the very end of the transaction: with its row locked any earlier, an import and an edit would
 * wait for each other in a ring.
 */
async function version(db: Kysely<unknown>): Promise<void> {
  await sql`create table library_version (version bigint not null)`.execute(db);
  await sql`insert into library_version values (1)`.execute(db);
  await sql`create table library_changing (transaction xid8 primary key)`.execute(db);
  await sql`
    create function library_changes() returns trigger language plpgsql as $$
    begin
      insert into library_changing values (pg_current_xact_id()) on conflict do nothing;
      return null;
    end $$`.execute(db);
  await sql`
    create function library_changed() returns trigger language plpgsql as $$
    begin
      update library_version set version = version + 1;
      delete from library_changing where transaction = new.transaction;
      return null;
    end $$`.execute(db);
  await sql`
    create constraint trigger library_changed after insert on library_changing deferrable initially deferred
    for each row execute function library_changed()`.execute(db);
  for (const table of watched) {
    await sql`
      create trigger library_changes after insert or update or delete or truncate on ${sql.table(table)}
      for each statement execute function library_changes()`.execute(db);
  }
}

const watched = [
  'services',
  'service_capacity',
  'service_referral_settings',
  'service_taxonomy_terms',
  'organizations',
  'taxonomies',
  'taxonomy_terms',
];
