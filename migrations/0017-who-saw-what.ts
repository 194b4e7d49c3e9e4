import { type Kysely, sql } from 'kysely';

/**
 * What people saw of others’ clients in lists and copies, the names that accounts had before, and the address of an organisation to
 * which copies may go.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table account_former_details (
      account_id uuid not null references accounts on delete cascade,
      kind text not null check (kind in ('name', 'email')),
      value text not null,
      until timestamptz not null,
      primary key (account_id, kind, value)
    )`.execute(db);
  // The audit names people as they were called when they acted.
  await sql`
    insert into account_former_details (account_id, kind, value, until)
    select a.id, 'name', e.actor_name, max(e.at) from audit_entries e join accounts a on a.id = e.actor_id
    where e.actor_name <> a.name group by a.id, e.actor_name`.execute(db);

  await sql`
    create table looks_in_lists (
      id uuid primary key,
      -- In UK time.
      day date not null,
      first_at timestamptz not null,
      last_at timestamptz not null,
      kind text not null check (kind in ('list', 'copy', 'copy-by-email')),
      -- Who saw the list or took the copy; null for a copy that was sent.
      account_id uuid references accounts on delete cascade,
      -- Where a copy was sent, and whose it was.
      organisation_id uuid references organisations on delete cascade,
      sent_to text,
      referral_ids uuid[] not null,
      check ((account_id is null) = (kind = 'copy-by-email') and (sent_to is null) = (kind <> 'copy-by-email')),
      unique nulls not distinct (account_id, organisation_id, sent_to, kind, day)
    )`.execute(db);
  await sql`create index looks_in_lists_day on looks_in_lists (day)`.execute(db);
  await sql`alter table looks_to_check drop constraint looks_to_check_reason_check`.execute(db);
  await sql`
    alter table looks_to_check add constraint looks_to_check_reason_check check (reason in
      ('own-name', 'own-email', 'many-misses', 'no-action', 'sensitive', 'audit-opened'))`.execute(db);
  await sql`alter table offline_copies add column referral_ids uuid[]`.execute(db);

  await sql`alter table organisations add column mailbox text`.execute(db);
}
