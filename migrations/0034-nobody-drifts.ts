import { type Kysely, sql } from 'kysely';

/** Adds reminders of an unsettled death, an end without help, a draft that was not sent, and a next date that has passed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table unseen_news
      drop constraint unseen_news_kind_check,
      add constraint unseen_news_kind_check
        check (kind in ('referral', 'message', 'change', 'correction', 'death', 'ended'))`.execute(db);
  await sql`create index unseen_news_ended on unseen_news (referral_id) where kind = 'ended'`.execute(db);
  await sql`
    alter table referral_prompts
      drop constraint referral_prompts_kind_check,
      add constraint referral_prompts_kind_check check (kind in ('service-closed', 'service-moved', 'practice-closed',
        'referrer-left', 'staff-left', 'nobody-left', 'may-have-died', 'death-reported', 'draft-waiting'))`.execute(
    db,
  );
  // “Another organisation” told people that somebody else knows the person.
  await sql`update referral_deaths set told_by = 'Somebody' where told_by = 'Another organisation'`.execute(
    db,
  );
  await sql`drop index referrals_next_date_unreminded`.execute(db);
  await sql`
    alter table referrals
      -- How often the service was reminded of this next date, and when it is reminded again.
      add column next_date_reminders integer not null default 0,
      add column next_reminder_on date`.execute(db);
  await sql`
    update referrals set next_date_reminders = 1, next_reminder_on = next_date + 8
    where next_date is not null and next_date_reminded`.execute(db);
  await sql`alter table referrals drop column next_date_reminded`.execute(db);
  await sql`
    create index referrals_next_reminder on referrals (coalesce(next_reminder_on, next_date + 1))
    where next_date is not null`.execute(db);
}
