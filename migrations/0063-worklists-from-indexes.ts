import { type Kysely, sql } from 'kysely';

/**
 * The indexes of worklists hold all that decides the order of rows. A page far back of 100,000 referrals then reads a few pages of an
 * index, and not a thousand referrals for each status.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isOpen = sql`status in ('requested', 'accepted', 'in-progress', 'on-hold')`;
  const due = sql`urgency, referral_due(status, due_at, next_date), id`;
  await sql`
    drop index referrals_received_due, referrals_made_due, referrals_made_by_account_due, referrals_due`.execute(
    db,
  );
  await sql`
    create index referrals_received_due on referrals (service_organization_id, status, ${due})
      include (due_at, next_date) where ${isOpen}`.execute(db);
  await sql`
    create index referrals_made_due on referrals (referrer_organisation_id, status, ${due})
      include (due_at, next_date) where ${isOpen}`.execute(db);
  await sql`
    create index referrals_made_by_account_due on referrals (referrer_account_id, status, ${due})
      include (due_at, next_date) where ${isOpen} and referrer_organisation_id is null`.execute(db);
  await sql`
    create index referrals_due on referrals (status, ${due})
      include (due_at, next_date, requested_at) where ${isOpen}`.execute(db);
}
