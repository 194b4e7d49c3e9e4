import { type Kysely, sql } from 'kysely';

/** When staff of the service first reached the person. The contacts themselves are part of what the referral says. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table referrals add column first_contact_at timestamptz`.execute(db);
}
