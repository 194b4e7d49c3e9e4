import { type Kysely, sql } from 'kysely';

/** The pages on which people see how far their own referral is, who has opened them, and what the person said there. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table person_pages (
      id uuid primary key,
      referral_id uuid not null references referrals on delete cascade,
      -- The address at which it is safe to reach the person. The link and each code go there.
      address text not null,
      -- A keyed hash: a copied database opens nothing.
      secret_hash bytea not null unique,
      sent_at timestamptz not null,
      sent_by_name text not null,
      -- When somebody first opened it with a code.
      opened_at timestamptz,
      ended_at timestamptz,
      -- Why it ended, and who ended it, if somebody did.
      end_reason text,
      ended_by_name text,
      -- The code that was sent last, as a keyed hash, until it is used or was guessed at too often.
      code_hash bytea,
      code_until timestamptz,
      code_tries smallint not null default 0,
      -- How many codes were sent since.
      codes_sent smallint not null default 0,
      codes_since timestamptz,
      -- After too many wrong codes; each pause in a row is longer.
      paused_until timestamptz,
      pauses smallint not null default 0
    )`.execute(db);
  await sql`create index person_pages_by_referral on person_pages (referral_id)`.execute(db);
  await sql`create unique index person_pages_one_open on person_pages (referral_id) where ended_at is null`.execute(
    db,
  );
  await sql`
    create table person_page_visits (
      -- A keyed hash of the cookie of the browser that entered a code.
      token_hash bytea primary key,
      page_id uuid not null references person_pages on delete cascade,
      ends_at timestamptz not null
    )`.execute(db);
  await sql`create index person_page_visits_by_page on person_page_visits (page_id)`.execute(db);
  await sql`
    create table person_answers (
      id uuid primary key,
      referral_id uuid not null references referrals on delete cascade,
      at timestamptz not null,
      answer text not null
    )`.execute(db);
  await sql`create index person_answers_by_referral on person_answers (referral_id, id)`.execute(db);
  await sql`
    alter table referral_prompts
      drop constraint referral_prompts_kind_check,
      add constraint referral_prompts_kind_check check (kind in ('service-closed', 'service-moved', 'practice-closed',
        'referrer-left', 'staff-left', 'nobody-left', 'may-have-died', 'death-reported', 'draft-waiting',
        'person-wants-to-stop', 'person-not-helped'))`.execute(db);
}
