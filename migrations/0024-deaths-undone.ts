import { type Kysely, sql } from 'kysely';

/** Keeps what else a referral had before a death was confirmed, so that all of it can be restored after a mistake. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table referral_deaths add column reason_before jsonb, add column prompts_before jsonb`.execute(
    db,
  );
}
