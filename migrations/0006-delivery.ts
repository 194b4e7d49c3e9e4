import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await deliveries(db);
  await attempts(db);
  await capturedMessages(db);
}

/** One row for each telling of somebody: the service or the GP practice, of the referral or of how it ended. */
async function deliveries(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table deliveries (
      id uuid primary key,
      referral_id uuid not null references referrals on delete cascade,
      -- The version of the referral that made it necessary: each change tells each leg at most once.
      referral_version integer not null,
      leg text not null check (leg in ('service', 'gp_practice')),
      purpose text not null check (purpose in ('referral', 'outcome')),
      recipient_name text,
      -- The library's organisation for the service, the ODS code for the practice.
      recipient_code text,
      channel text,
      status text not null check (status in ('queued', 'sending', 'sent', 'received', 'acknowledged', 'uncertain',
        'failed', 'expired', 'suppressed')),
      detail text,
      simulated boolean not null,
      -- Fixed when queued and the same in every attempt, so that a receiver can tell a repetition from a second message.
      message_id uuid,
      attempts_started integer not null default 0,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      unique (referral_id, leg, purpose, referral_version),
      check (message_id is not null or status = 'suppressed')
    )`.execute(db);
  // What tend-deliveries looks through every minute.
  await sql`
    create index deliveries_unfinished on deliveries (updated_at) where status in ('queued', 'sending')`.execute(
    db,
  );
}

async function attempts(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table delivery_attempts (
      delivery_id uuid not null references deliveries on delete cascade,
      number integer not null,
      at timestamptz not null,
      channel text not null,
      outcome text not null check (outcome in ('sent', 'received', 'will-retry', 'failed', 'interrupted')),
      detail text not null,
      primary key (delivery_id, number)
    )`.execute(db);
  await sql`
    create trigger delivery_attempts_append_only before update or truncate on delivery_attempts
    for each statement execute function refuse_change()`.execute(db);
}

/** What a test site would have sent. */
async function capturedMessages(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table captured_messages (
      id uuid primary key,
      delivery_id uuid not null unique references deliveries on delete cascade,
      referral_id uuid not null references referrals on delete cascade,
      message_id uuid not null,
      channel text not null,
      recipient text not null,
      subject text not null,
      body text not null,
      letter bytea not null,
      captured_at timestamptz not null
    )`.execute(db);
  await sql`create index captured_messages_referral on captured_messages (referral_id)`.execute(db);
}
