import { type Kysely, sql } from 'kysely';

/** Who told of a death is null where it must not be known, so that somebody may write the word that stood for it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table referral_deaths alter column told_by drop not null`.execute(db);
  await sql`
    update referral_deaths set told_by = null where told_by = 'Somebody' and reported_by_name is null`.execute(
    db,
  );
}
