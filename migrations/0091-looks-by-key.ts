import { type Kysely, sql } from 'kysely';

/** The Caldicott guardian's list names the key by which a client system looked. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Null where a person looked, and for the first pair of keys of an account.
  await sql`alter table looks add column key_name text`.execute(db);
  await sql`alter table looks_to_check add column key_names text[] not null default '{}'`.execute(db);
}
