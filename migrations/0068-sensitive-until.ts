import { type Kysely, sql } from 'kysely';

/** Until when a service was marked as sensitive. Referrals from before then stay as hidden as they were. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table service_referral_settings add column sensitive_until timestamptz`.execute(db);
}
