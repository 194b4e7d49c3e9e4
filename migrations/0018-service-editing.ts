import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await keptServices(db);
  await checkedDays(db);
  await edits(db);
  await referralSettings(db);
}

/** A service stays as long as a referral names it, also one that is being made while somebody deletes the service. */
async function keptServices(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table referrals
      add constraint referrals_service_kept foreign key (service_id) references services`.execute(db);
}

/** The day on which an entry was last checked, which the list of what is overdue goes by. */
async function checkedDays(db: Kysely<unknown>): Promise<void> {
  await sql`alter table services add column assured_on date`.execute(db);
  // A source may have written anything. A day that its month has not becomes one of the next month, which is near enough.
  await sql`
    update services s
    set assured_on = make_date(left(given.day, 4)::int, substr(given.day, 6, 2)::int, 1) + substr(given.day, 9, 2)::int - 1
    from (
      select service_id, document::json->>'assured_date' as day from service_documents
      where document like '%"assured_date"%') as given
    where given.service_id = s.id
      and given.day ~ '^[1-9][0-9]{3}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])'`.execute(db);
  await sql`create index services_assured on services (coalesce(assured_on, '-infinity'::date), id)`.execute(
    db,
  );
}

/** When somebody here changed what an import had brought, or made: null where an import had the last word. */
async function edits(db: Kysely<unknown>): Promise<void> {
  await sql`alter table services add column edited_at timestamptz`.execute(db);
}

/** Who answers the referrals of a service, where that is not simply its organisation; and who said so. */
async function referralSettings(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table service_referral_settings
      add column answered_by text,
      add column answer_email text,
      add column answer_telephone text,
      add column updated_at timestamptz`.execute(db);
}
