import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await newEvents(db);
  await events(db);
  await webhooks(db);
  await messages(db);
  await attempts(db);
}

/** What happened, as it is written down in the transaction in which it happens; soon afterwards it gets its place. */
async function newEvents(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table new_events (
      number bigint generated always as identity primary key,
      id uuid not null,
      type text not null,
      resource_type text not null,
      resource_id text not null,
      -- Where the API shows the resource, such as /api/referrals/….
      path text not null,
      referral_id uuid,
      created_at timestamptz not null
    )`.execute(db);
}

/**
 * The events in the order in which they are read. Positions are given by one transaction at a time, and so become
 * visible in their order: whoever has read up to a position has missed nothing before it.
 */
async function events(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table events (
      position bigint generated always as identity primary key,
      id uuid not null unique,
      type text not null,
      version integer not null,
      resource_type text not null,
      resource_id text not null,
      path text not null,
      -- Null for what everybody may see who may read the library.
      referral_id uuid references referrals on delete cascade,
      -- Of the referral, so that an index alone finds the events that somebody may see.
      referrer_account_id uuid,
      referrer_organisation_id uuid,
      service_organization_id text,
      created_at timestamptz not null
    )`.execute(db);
  await sql`create index events_referral on events (referral_id) where referral_id is not null`.execute(db);
  await sql`create index events_of_all on events (position) where referral_id is null`.execute(db);
  for (const way of ['referrer_account_id', 'referrer_organisation_id', 'service_organization_id']) {
    const name = sql.id(`events_${way.replace(/_id$/, '')}`);
    await sql`create index ${name} on events (${sql.id(way)}, position)
      where ${sql.id(way)} is not null`.execute(db);
  }
  await sql`create index events_created_at on events (created_at)`.execute(db);
}

async function webhooks(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table webhooks (
      id uuid primary key,
      account_id uuid not null references accounts on delete cascade,
      url text not null,
      event_types text[] not null,
      description text,
      -- Sealed under the site key. After a change the one before it signs beside it for a while.
      secret bytea not null,
      previous_secret bytea,
      previous_secret_until timestamptz,
      -- Null while it is on.
      off_reason text check (off_reason in ('by-hand', 'gone', 'failing')),
      off_at timestamptz,
      -- How often it failed since it last took something, and since when; until when it is left alone.
      failures integer not null default 0,
      failing_since timestamptz,
      resting_until timestamptz,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      check ((off_reason is null) = (off_at is null))
    )`.execute(db);
  await sql`create index webhooks_account on webhooks (account_id, id)`.execute(db);
}

/** One event for one webhook. */
async function messages(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table webhook_messages (
      number bigint generated always as identity primary key,
      webhook_id uuid not null references webhooks on delete cascade,
      event_id uuid not null,
      type text not null,
      -- The very text that is signed and sent, the same in every attempt.
      body text not null,
      status text not null default 'queued' check (status in ('queued', 'delivered', 'captured', 'failed')),
      attempts integer not null default 0,
      queued_at timestamptz not null,
      due_at timestamptz not null,
      unique (webhook_id, event_id)
    )`.execute(db);
  await sql`
    create index webhook_messages_queued on webhook_messages (webhook_id, number) where status = 'queued'`.execute(
    db,
  );
  await sql`create index webhook_messages_queued_at on webhook_messages (queued_at)`.execute(db);
}

async function attempts(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table webhook_attempts (
      number bigint generated always as identity primary key,
      webhook_id uuid not null references webhooks on delete cascade,
      message_number bigint not null references webhook_messages on delete cascade,
      at timestamptz not null,
      outcome text not null check (outcome in ('delivered', 'captured', 'will-retry', 'failed')),
      status integer,
      detail text not null,
      -- On a test site: the address and the headers that the message would have gone with.
      captured jsonb
    )`.execute(db);
  await sql`create index webhook_attempts_webhook on webhook_attempts (webhook_id, number desc)`.execute(db);
  await sql`create index webhook_attempts_message on webhook_attempts (message_number)`.execute(db);
}
