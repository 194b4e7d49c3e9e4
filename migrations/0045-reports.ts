import { type Kysely, sql } from 'kysely';

/** What reports count: a narrow row for each referral, and the figures of each month as they were published. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table report_facts (
      referral_id uuid primary key references referrals on delete cascade,
      -- The state of the row in referrals that this was read from.
      row_version bigint not null,
      status text not null,
      simulated boolean not null,
      sent_at timestamptz not null,
      -- The day in London.
      sent_on date not null,
      due_at timestamptz,
      next_date date,
      -- When somebody of the service first answered. Null where nobody did, also if the site declined in their place.
      answered_at timestamptz,
      accepted_at timestamptz,
      started_at timestamptz,
      ended_at timestamptz,
      end_reason text,
      service_id text not null,
      service_organization_id text,
      referrer_account_id uuid not null,
      practice_ods_code text,
      -- A number made from the keyed hash of the person's name and birth date. Null once the referral is erased.
      person bigint,
      age_band text,
      gender text,
      interpreter boolean,
      -- By how much each measure changed from start to end, by its code.
      changes jsonb,
      erased boolean not null,
      risk_asked boolean not null,
      contact_asked boolean not null,
      agreement_asked boolean not null,
      gp_actions_asked boolean not null,
      -- The first referral of the journey; of a first one, where its journey stands.
      journey_id uuid not null,
      journey_status text not null,
      journey_completed boolean not null
    )`.execute(db);
  await sql`create index report_facts_sent on report_facts (sent_on)`.execute(db);
  await sql`create index report_facts_organization on report_facts (service_organization_id, sent_on)`.execute(
    db,
  );
  await sql`
    create table report_progress (
      only_one boolean primary key default true check (only_one),
      -- Referrals that changed before this moment are in report_facts.
      read_until timestamptz not null
    )`.execute(db);
  await sql`insert into report_progress (read_until) values ('2000-01-01T00:00:00Z')`.execute(db);
  await sql`create table report_months (month date primary key, published_at timestamptz not null)`.execute(
    db,
  );
  await sql`
    create table report_figures (
      month date not null references report_months,
      figure text not null,
      stratum text not null,
      -- Rounded; null where the count is 1 to 7, or would reveal one that is.
      n integer,
      numerator integer,
      value double precision,
      low double precision,
      high double precision,
      primary key (month, figure, stratum)
    )`.execute(db);
}
