import { type Kysely, sql } from 'kysely';

/** How often people looked for a need in the public directory and found next to nothing. It has no words and nobody’s address. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table unmet_searches (
      -- The first day of the month.
      month date not null,
      -- A taxonomy term, which may be gone.
      term_id text not null,
      -- The first half of a postcode.
      district text not null,
      searches integer not null,
      primary key (month, term_id, district)
    )`.execute(db);
}
