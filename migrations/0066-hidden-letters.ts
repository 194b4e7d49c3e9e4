import { type Kysely, sql } from 'kysely';

/**
 * Whether a letter to a practice says that it must not be shown online. If that is decided later, the next letter asks to hide the
 * earlier ones. Null in letters from before this version, which may have been shown.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table deliveries add column hides_online boolean`.execute(db);
  await sql`
    create or replace view practice_letters as
    select id, referral_id, referral_version, purpose, recipient_code, status, created_at, hides_online from deliveries
    where leg = 'gp_practice' and message_id is not null and (status <> 'suppressed' or exists (
      select from delivery_attempts t
      where t.delivery_id = deliveries.id and t.outcome not in ('failed', 'will-retry')))`.execute(db);
}
