import { type Kysely, sql } from 'kysely';

/** That the person of a referral that came to nothing was helped in another way, and who of its makers said so. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table referrals add column seen_to_at timestamptz, add column seen_to_by text`.execute(db);
}
