import { type Kysely, sql } from 'kysely';

/** With each new version of the library goes a word to all processes, so that they need not ask for it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function library_changed() returns trigger language plpgsql as $$
    begin
      update library_version set version = version + 1;
      delete from library_changing where transaction = new.transaction;
      perform pg_notify('onward', 'library ');
      return null;
    end $$`.execute(db);
}
