import { type Kysely, sql } from 'kysely';

/** A form that was shown again stays until it is sent, so that a page that was opened too early, or twice, does not lose it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const words =
    'The last five forms of each person that arrived more than 15 minutes after the sign-in that they need, until they are sent again or discarded, or for an hour.';
  await sql`comment on table unsent_forms is ${sql.lit(words)}`.execute(db);
}
