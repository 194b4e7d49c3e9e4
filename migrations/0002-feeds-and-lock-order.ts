import { type Kysely, sql } from 'kysely';

/**
 * Which sources are feeds: one that is being read again looks like a file otherwise. And rows are locked in the order of
 * their ids' bytes, as imports lock them, also where the database sorts as a language does.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table library_sources add column is_feed boolean not null default false`.execute(db);
  await sql`
    update library_sources set is_feed = true
    where changed_since is not null or position is not null or name ~ '^https?://'`.execute(db);
  await sql`alter table library_sources alter column is_feed drop default`.execute(db);
  for (const [name, id] of [
    ['touch_services', 'service_id'],
    ['touch_deleted_services', 'id'],
  ] as const) {
    await sql`
      create or replace function ${sql.table(name)}() returns trigger language plpgsql as $$
      begin
        insert into service_touches
        select touched.id, pg_current_xact_id()
        from (select distinct ${sql.ref(id)} as id from changed) as touched order by touched.id collate "C"
        on conflict (service_id) do update set changed_in = excluded.changed_in;
        return null;
      end
      $$`.execute(db);
  }
}
