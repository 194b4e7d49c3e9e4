import { type Kysely, sql } from 'kysely';

/** Worklists begin with what has to be done first. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // By when somebody has to act. The next date is a day, and the whole of it is left.
  await sql`
    create function referral_due(status text, due_at timestamptz, next_date date) returns timestamptz
      language sql immutable parallel safe as
    $$ select case when status = 'requested' then due_at
         else ((next_date + 1)::timestamp at time zone 'Europe/London') end $$`.execute(db);
  await sql`create index referrals_death_reported on referrals (id) where death_reported_at is not null`.execute(
    db,
  );
  const isOpen = sql`status in ('requested', 'accepted', 'in-progress', 'on-hold')`;
  const due = sql`urgency, referral_due(status, due_at, next_date), id`;
  await sql`
    create index referrals_received_due on referrals (service_organization_id, status, ${due}) where ${isOpen}`.execute(
    db,
  );
  await sql`
    create index referrals_made_due on referrals (referrer_organisation_id, status, ${due}) where ${isOpen}`.execute(
    db,
  );
  await sql`
    create index referrals_made_by_account_due on referrals (referrer_account_id, status, ${due})
      where ${isOpen} and referrer_organisation_id is null`.execute(db);
  await sql`create index referrals_due on referrals (status, ${due}) where ${isOpen}`.execute(db);
}
