import { type Kysely, sql } from 'kysely';

/**
 * What each process must know to keep its catalogue (`src/library/catalogue`) up to date: in which transaction something
 * was changed last. Whoever has seen a snapshot of the database asks for what was not in it. Numbers of transactions are
 * those of one PostgreSQL, so that a copy in another one may have some that are still to come there: they are passed over.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function note_change() returns trigger language plpgsql as $$
    begin
      new.changed_in := pg_current_xact_id();
      return new;
    end $$`.execute(db);
  for (const table of ['services', 'taxonomies', 'taxonomy_terms', 'search_synonyms', 'search_words']) {
    await sql`
      alter table ${sql.table(table)} add column changed_in xid8 not null default pg_current_xact_id()`.execute(
      db,
    );
    await sql`
      create trigger note_change before update on ${sql.table(table)} for each row execute function note_change()`.execute(
      db,
    );
  }
  for (const table of ['services', 'search_words']) {
    await sql`
      create index ${sql.id(`${table}_changed_in`)} on ${sql.table(table)} (changed_in)`.execute(db);
  }
  await touches(db);
}

/**
 * Services that are gone, and those of which something changed that stands beside them: to note it in their own rows
 * would lock these, which imports and edits lock in other orders.
 */
async function touches(db: Kysely<unknown>): Promise<void> {
  await sql`create table service_touches (service_id text primary key, changed_in xid8 not null)`.execute(db);
  await sql`create index service_touches_changed_in on service_touches (changed_in)`.execute(db);
  await touching(db, 'touch_services', sql`service_id`);
  await touching(db, 'touch_deleted_services', sql`id`);
  for (const table of ['service_capacity', 'service_referral_settings', 'service_responsiveness']) {
    await touchedBy(db, table, 'insert', 'new', 'touch_services');
    await touchedBy(db, table, 'update', 'new', 'touch_services');
    await touchedBy(db, table, 'delete', 'old', 'touch_services');
  }
  await touchedBy(db, 'services', 'delete', 'old', 'touch_deleted_services');
}

async function touching(db: Kysely<unknown>, name: string, id: ReturnType<typeof sql>): Promise<void> {
  // In the order of the ids, so that two transactions never wait for each other in a ring.
  await sql`
    create function ${sql.id(name)}() returns trigger language plpgsql as $$
    begin
      insert into service_touches
      select distinct ${id}, pg_current_xact_id() from changed order by 1
      on conflict (service_id) do update set changed_in = excluded.changed_in;
      return null;
    end $$`.execute(db);
}

async function touchedBy(
  db: Kysely<unknown>,
  table: string,
  event: 'insert' | 'update' | 'delete',
  rows: 'new' | 'old',
  run: string,
): Promise<void> {
  await sql`
    create trigger ${sql.id(`touch_on_${event}`)} after ${sql.raw(event)} on ${sql.table(table)}
    referencing ${sql.raw(rows)} table as changed for each statement execute function ${sql.id(run)}()`.execute(
    db,
  );
}
