import { type Kysely, sql } from 'kysely';

/** Reports of long periods add up months, and waits are counted by the hour: a million referrals are read in a second. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table report_days
      drop column answered, drop column ended_unanswered, drop column contacted, drop column ended_uncontacted,
      drop column started, drop column ended_unstarted`.execute(db);
  // Every day is counted again.
  await sql`update report_days set counts = null`.execute(db);
  await sql`
    create table report_month_counts (
      -- The first day of a month in London in which referrals were sent.
      month date primary key,
      -- The counts of its days, added up. Null while they have to be added up again.
      counts jsonb
    )`.execute(db);
  await sql`insert into report_month_counts (month) select distinct date_trunc('month', day)::date from report_days`.execute(
    db,
  );
  await sql`create index report_month_counts_stale on report_month_counts (month) where counts is null`.execute(
    db,
  );
  // Open referrals are counted from the index alone.
  await sql`drop index report_facts_open`.execute(db);
  await sql`
    create index report_facts_open on report_facts (sent_on) include (status, simulated, service_id, service_organization_id, sent_at,
      due_at, next_date, answered_at, accepted_at, first_contact_at, started_at, ended_at) where ended_at is null`.execute(
    db,
  );
}
