import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await deliveries(db);
  await attempts(db);
  await addresses(db);
  await worklist(db);
  await capturedMessages(db);
}

async function deliveries(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table deliveries
      -- What the system that carries the message calls it, and names it by in its reports.
      add column tracked_as text,
      -- The one way that an operator chose in the place of the receiver's own.
      add column chosen_channel text,
      -- Attempts up to this one count no more, because an operator asked for a new start.
      add column attempts_set_aside integer not null default 0,
      -- When the watchdog looks whether the receiver has answered; null where nobody waits for that, or any more.
      add column look_again_at timestamptz,
      add column sent_at timestamptz`.execute(db);
  await sql`create index deliveries_to_look_at on deliveries (look_again_at) where look_again_at is not null`.execute(
    db,
  );
  // Not before a channel is chosen: making a referral does not wait for it.
  await sql`create index deliveries_message on deliveries (message_id) where channel is not null`.execute(db);
  await sql`create index deliveries_tracked on deliveries (tracked_as) where tracked_as is not null`.execute(
    db,
  );
}

async function attempts(db: Kysely<unknown>): Promise<void> {
  await sql`alter table delivery_attempts drop constraint delivery_attempts_outcome_check`.execute(db);
  await sql`
    alter table delivery_attempts add constraint delivery_attempts_outcome_check check (outcome in ('sent', 'received',
      'acknowledged', 'will-retry', 'uncertain', 'failed', 'expired', 'interrupted'))`.execute(db);
}

/** Where a service or a practice is reached by a channel that needs to know. */
async function addresses(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table delivery_addresses (
      service_id text references services on delete cascade,
      practice_ods_code text references practices on delete cascade,
      channel text not null,
      address text not null,
      -- Sealed under the site key.
      secret bytea,
      updated_at timestamptz not null,
      check (num_nonnulls(service_id, practice_ods_code) = 1),
      unique nulls not distinct (service_id, practice_ods_code, channel)
    )`.execute(db);
}

/** What somebody has to see to: a delivery has a row from its first trouble on, open or closed. */
async function worklist(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table worklist (
      delivery_id uuid primary key references deliveries on delete cascade,
      kind text not null check (kind in ('failed', 'uncertain', 'expired', 'unanswered', 'no-practice')),
      escalated boolean not null default false,
      reason text not null,
      opened_at timestamptz not null,
      -- Null only as long as there is no operator.
      owner_id uuid references accounts on delete set null,
      closed_at timestamptz,
      closed_as text check (closed_as in ('resolved', 'retried', 'another-way', 'by-hand')),
      closed_by uuid references accounts on delete set null,
      -- What whoever did it by hand says of it.
      closing_words text,
      check ((closed_at is null) = (closed_as is null))
    )`.execute(db);
  await sql`create index worklist_open on worklist (opened_at, delivery_id) where closed_at is null`.execute(
    db,
  );
  await sql`create index worklist_owner on worklist (owner_id) where closed_at is null`.execute(db);
}

/** By each channel something else goes out: not always a letter, sometimes several files. */
async function capturedMessages(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table captured_files (
      captured_id uuid not null references captured_messages on delete cascade,
      name text not null,
      type text not null,
      content bytea not null,
      primary key (captured_id, name)
    )`.execute(db);
  await sql`
    insert into captured_files (captured_id, name, type, content)
    select id, 'letter.pdf', 'application/pdf', letter from captured_messages`.execute(db);
  await sql`
    alter table captured_messages
      drop column letter,
      drop constraint captured_messages_delivery_id_key,
      -- Sent another way, it is another message.
      add unique (delivery_id, channel),
      add column address text,
      add column headers jsonb not null default '{}'`.execute(db);
}
