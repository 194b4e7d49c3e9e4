import { type Kysely, sql } from 'kysely';

/** What a person is, and where others can ask: for the letters that their referrals and answers make. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table accounts add column job_title text, add column telephone text`.execute(db);
}
