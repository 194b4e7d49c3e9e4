import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await mails(db);
  await accountLinks(db);
  await throttles(db);
}

/** E-mails of the site. Recipient, subject and text are sealed, because they hold links that open accounts. */
async function mails(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table mails (
      id uuid primary key,
      status text not null check (status in ('queued', 'captured', 'sent', 'failed')),
      -- Gone once the mail is sent or given up: nobody needs it any more.
      sealed bytea,
      -- A keyed hash of the address, by which people find what a test site would have sent to them.
      recipient_hash bytea not null,
      attempts integer not null default 0,
      -- Why it failed, in words for the operator. It names no address.
      reason text,
      created_at timestamptz not null,
      finished_at timestamptz,
      check ((sealed is not null) = (status in ('queued', 'captured'))),
      check ((reason is not null) = (status = 'failed'))
    )`.execute(db);
  await sql`create index mails_captured on mails (id) where status = 'captured'`.execute(db);
  await sql`create index mails_captured_to on mails (recipient_hash, id) where status = 'captured'`.execute(
    db,
  );
  await sql`create index mails_finished_at on mails (finished_at)`.execute(db);
}

/** Links that open an account once. At most one of a purpose for each account: a newer one replaces it. */
async function accountLinks(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table account_links (
      account_id uuid not null references accounts on delete cascade,
      purpose text not null check (purpose in ('invitation', 'reset')),
      secret_hash bytea not null unique,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      primary key (account_id, purpose)
    )`.execute(db);
  // Here and not in each action, so that no way of changing an account, today's or a later one, can forget it.
  await sql`
    create function end_account_links() returns trigger language plpgsql as $$
    begin
      delete from account_links where account_id = new.id;
      return null;
    end $$`.execute(db);
  await sql`
    create trigger accounts_end_links after update on accounts for each row
    when (old.email is distinct from new.email or old.password_hash is distinct from new.password_hash
      or old.disabled_at is distinct from new.disabled_at)
    execute function end_account_links()`.execute(db);
}

/** How many attempts were made of late, under keyed hashes of who and where from: no address stands here. */
async function throttles(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table throttles (
      key bytea primary key,
      -- Counted from here, for a day.
      since timestamptz not null,
      attempts integer not null,
      -- No further attempt is taken before this.
      open_at timestamptz not null,
      -- Until when the site remembers that the account's holder was here.
      vouched_until timestamptz
    )`.execute(db);
  await sql`create index throttles_since on throttles (since)`.execute(db);
}
