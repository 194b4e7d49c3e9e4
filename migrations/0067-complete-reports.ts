import { type Kysely, sql } from 'kysely';

/** The figures that reports lacked: what happened after acceptance, letters to practices, list sizes, deprivation and unmet need. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table practices add column list_size integer check (list_size > 0)`.execute(db);
  await sql`
    alter table postcodes
      -- 1 is the most deprived tenth of the country, by the Index of Multiple Deprivation of that year.
      add column imd_decile smallint check (imd_decile between 1 and 10),
      add column imd_year smallint,
      add check ((imd_decile is null) = (imd_year is null))`.execute(db);
  await sql`
    alter table report_facts
      drop column risk_asked, drop column contact_asked, drop column agreement_asked, drop column gp_actions_asked,
      -- What the referral says, of the fields that clients may leave out.
      add column fields text[] not null default '{}',
      add column first_contact_at timestamptz,
      -- Minutes from sending or acceptance until it happened, or else until the referral ended. Null while neither has.
      add column answer_minutes integer generated always as
        (greatest(0, floor(extract(epoch from coalesce(answered_at, ended_at) - sent_at) / 60))::integer) stored,
      add column contact_minutes integer generated always as
        (greatest(0, floor(extract(epoch from coalesce(first_contact_at, ended_at) - sent_at) / 60))::integer) stored,
      add column start_minutes integer generated always as
        (greatest(0, floor(extract(epoch from coalesce(started_at, ended_at) - accepted_at) / 60))::integer) stored,
      add column goals smallint not null default 0,
      add column goals_achieved smallint not null default 0,
      add column goals_partly smallint not null default 0,
      -- What the person said last. Null if they said nothing.
      add column person_helped boolean,
      -- Of the first referral of a journey: whether a goal was met or partly met, and whether the person said that they got help.
      add column journey_goals_met boolean not null default false,
      add column journey_person_helped boolean not null default false,
      -- Whether the person left the low band, by measure, where they began in it.
      add column left_low jsonb,
      -- Whether the same person was referred again within 30 days after the end.
      add column referred_again boolean not null default false,
      add column needs text[] not null default '{}',
      -- The first half of the postcode.
      add column district text,
      add column ethnic_group text,
      -- As the postcode was when the referral was first read. It stays.
      add column imd_decile smallint,
      add column imd_year smallint,
      -- Letters to GP practices: all, those sent within a day and within five, and those that an operator had to look after.
      add column letters smallint not null default 0,
      add column letters_in_1_day smallint not null default 0,
      add column letters_in_5_days smallint not null default 0,
      add column letters_by_hand smallint not null default 0,
      -- The last change of a letter that was read.
      add column letters_read_until timestamptz`.execute(db);
  await sql`create index report_facts_person on report_facts (person)`.execute(db);
  // Those whose figures depend on the time at which they are read.
  await sql`create index report_facts_open on report_facts (sent_on) where ended_at is null`.execute(db);
  await sql`create index report_facts_due on report_facts (due_at)`.execute(db);
  // To find who referred, and to which services, without reading every referral.
  for (const column of ['referrer_account_id', 'practice_ods_code', 'service_id'])
    await sql`create index ${sql.ref(`report_facts_${column}`)} on report_facts (${sql.ref(column)}, sent_on)`.execute(
      db,
    );
  await sql`
    create table report_days (
      -- A day in London on which referrals were sent.
      day date primary key,
      -- The counts of these referrals, by name. Null while they have to be counted again.
      counts jsonb,
      -- Minutes from sending to the first answer and to the first contact, and from acceptance to the start; and of those who ended without.
      answered integer[], ended_unanswered integer[],
      contacted integer[], ended_uncontacted integer[],
      started integer[], ended_unstarted integer[],
      -- The people, by their numbers in report_facts.
      people bigint[]
    )`.execute(db);
  await sql`create index report_days_stale on report_days (day) where counts is null`.execute(db);
  // When deciles were imported last, and which import reports have read.
  await sql`
    create table postcode_deciles (
      only_one boolean primary key default true check (only_one),
      imported_at timestamptz
    )`.execute(db);
  await sql`insert into postcode_deciles default values`.execute(db);
  await sql`alter table report_progress add column deciles_read timestamptz`.execute(db);
  // What the counts of days rest on: the services that they leave out, and the practices whose list sizes are known.
  await sql`alter table report_progress add column basis text not null default ''`.execute(db);
  await sql`create index deliveries_letters_updated on deliveries (updated_at) where leg = 'gp_practice'`.execute(
    db,
  );
  // Everything is read again.
  await sql`update report_facts set row_version = 0`.execute(db);
  await sql`update report_progress set read_until = '2000-01-01T00:00:00Z'`.execute(db);
}
