import { type Kysely, sql } from 'kysely';

/** The colleagues of a person are looked for with many requests, and once for each row of the page of organisations. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index accounts_organisation on accounts (organisation_id) where organisation_id is not null`.execute(
    db,
  );
}
