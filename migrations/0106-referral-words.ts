import { type Kysely, sql } from 'kysely';

/** Worklists are searched by the words of a reference, a person’s name and a service’s name, each from its first letters. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // The limit keeps each word below the 2,046 bytes that PostgreSQL takes.
  await sql`
    create function referral_words(given text) returns tsvector language sql immutable parallel safe strict
      return array_to_tsvector(string_to_array(rtrim(left(practice_text(given), 500)), ' '))`.execute(db);
  await sql`
    create index referrals_words on referrals using gin (referral_words(
      reference || ' ' || replace(reference, '-', '') || ' ' || coalesce(content #>> '{patient,given_name}', '')
      || ' ' || coalesce(content #>> '{patient,family_name}', '') || ' ' || coalesce(service_name, '')))`.execute(
    db,
  );
}
