import { type Kysely, sql } from 'kysely';

/** Who looks into worrying answers of questionnaires, the answers that somebody has to look into, and the reminders of the end ones. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table questionnaire_desks (
      organisation_id uuid primary key references organisations on delete cascade,
      -- Whether an operator switched it on. Nobody is asked all the same while the owner or the deputy cannot sign in.
      is_on boolean not null,
      owner_id uuid not null references accounts,
      deputy_id uuid not null references accounts,
      -- The questionnaires that people are asked on their own page.
      asks text[] not null check (cardinality(asks) > 0),
      -- When operators were told that nobody is asked any more; null while people are.
      told_closed_at timestamptz,
      check (owner_id <> deputy_id)
    )`.execute(db);
  await sql`
    create table alarming_answers (
      referral_id uuid primary key references referrals on delete cascade,
      -- The newest that nobody has looked into.
      at timestamptz not null
    )`.execute(db);
  await sql`
    create table end_measures_due (
      referral_id uuid primary key references referrals on delete cascade,
      -- When something was first measured for the start.
      started_at timestamptz not null,
      reminded_at timestamptz,
      reminded text check (reminded in ('person', 'staff'))
    )`.execute(db);
  await sql`create index end_measures_due_unreminded on end_measures_due (referral_id) where reminded_at is null`.execute(
    db,
  );
  await sql`
    alter table referral_prompts
      -- By when somebody must have acted, for what a person said.
      add column due_on date,
      drop constraint referral_prompts_kind_check,
      add constraint referral_prompts_kind_check check (kind in ('service-closed', 'service-moved', 'service-sensitive',
        'practice-closed', 'referrer-left', 'staff-left', 'nobody-left', 'may-have-died', 'death-reported', 'draft-waiting',
        'person-wants-to-stop', 'person-not-helped', 'service-asks-to-ring', 'alarming-answer', 'end-measure-due'))`.execute(
    db,
  );
}
