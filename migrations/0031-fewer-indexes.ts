import { type Kysely, sql } from 'kysely';

/**
 * Whoever has an organisation sees what was made for it; by their account alone are seen only those that were made for
 * none. So indexes by account need no others, and nearly every new referral and event is spared them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const byAccount = {
    referrals_made_by_account: sql`referrals (referrer_account_id, id desc) include (updated_at)`,
    referrals_made_by_account_status: sql`referrals (referrer_account_id, status, id desc) include (due_at, requested_at)`,
    referrals_made_by_account_service: sql`referrals (referrer_account_id, service_id, id desc)`,
    referrals_made_by_account_updated: sql`referrals (referrer_account_id, updated_at, id)`,
    events_referrer_account: sql`events (referrer_account_id, position)`,
  };
  for (const [name, columns] of Object.entries(byAccount)) {
    await sql`drop index ${sql.id(name)}`.execute(db);
    await sql`
      create index ${sql.id(name)} on ${columns}
      where referrer_account_id is not null and referrer_organisation_id is null`.execute(db);
  }
}
