import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await drafts(db);
  await waiting(db);
  await patientSearch(db);
  await messages(db);
  await attachments(db);
  await openings(db);
}

/** Of a draft only what is known is there; its receiver is written down when it is sent, and sees nothing before. */
async function drafts(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table referrals
      alter column service_id drop not null,
      alter column service_name drop not null,
      alter column patient_name_key drop not null,
      -- Null while it is a draft, and for ever where the draft was never sent.
      add column requested_at timestamptz,
      add column reminded_at timestamptz,
      -- When a person on the waiting list may expect a place.
      add column expected_date date,
      add column reroutes uuid references referrals on delete set null`.execute(db);
  await sql`update referrals set requested_at = created_at`.execute(db);
  // A referral is re-routed once; one that was withdrawn, or never sent, does not count.
  await sql`
    create unique index referrals_reroutes on referrals (reroutes)
    where reroutes is not null and requested_at is not null and status <> 'entered-in-error'`.execute(db);
  // The site itself rejects what nobody answers, and is no account.
  await sql`alter table referral_history alter column actor_id drop not null`.execute(db);
}

/** What waits for an answer: for the reminders, and for the lists of what is overdue. */
async function waiting(db: Kysely<unknown>): Promise<void> {
  await sql`create index referrals_waiting on referrals (requested_at) where status = 'requested'`.execute(
    db,
  );
  const ways = {
    made_status: sql`referrer_organisation_id, status`,
    made_by_account_status: sql`referrer_account_id, status`,
    received_status: sql`service_organization_id, status`,
    status: sql`status`,
  };
  for (const [name, way] of Object.entries(ways)) {
    const index = sql.id(`referrals_${name}`);
    await sql`drop index ${index}`.execute(db);
    // With due_at, so that what is overdue is found in the index alone.
    await sql`create index ${index} on referrals (${way}, id desc) include (due_at, requested_at)`.execute(
      db,
    );
  }
}

async function patientSearch(db: Kysely<unknown>): Promise<void> {
  await sql`alter table referrals add column patient_family_key bytea`.execute(db);
  await sql`create index referrals_same_family on referrals (patient_family_key)`.execute(db);
}

async function messages(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table referral_messages (
      id uuid primary key,
      referral_id uuid not null references referrals on delete cascade,
      at timestamptz not null,
      side text not null check (side in ('provider', 'referrer')),
      author_id uuid not null,
      author_name text not null,
      author_organisation text,
      text text not null
    )`.execute(db);
  await sql`create index referral_messages_of on referral_messages (referral_id, id desc)`.execute(db);
  await sql`
    create trigger referral_messages_append_only before update or truncate on referral_messages
    for each statement execute function refuse_change()`.execute(db);
  // Up to which message somebody has read; who was never there has read none.
  await sql`
    create table referral_readings (
      referral_id uuid not null references referrals on delete cascade,
      account_id uuid not null references accounts on delete cascade,
      last_message_id uuid not null,
      primary key (referral_id, account_id)
    )`.execute(db);
}

async function attachments(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table referral_attachments (
      id uuid primary key,
      referral_id uuid not null references referrals on delete cascade,
      at timestamptz not null,
      author_id uuid not null,
      author_name text not null,
      author_organisation text,
      name text not null,
      media_type text not null check (media_type in ('application/pdf', 'image/png', 'image/jpeg')),
      size integer not null,
      content bytea not null
    )`.execute(db);
  // The files are compressed already.
  await sql`alter table referral_attachments alter column content set storage external`.execute(db);
  await sql`create index referral_attachments_of on referral_attachments (referral_id, id desc)`.execute(db);
}

/** An operator's looks at what is clinical: who, why, and until when. */
async function openings(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table referral_openings (
      id uuid primary key,
      referral_id uuid not null references referrals on delete cascade,
      account_id uuid not null references accounts,
      account_name text not null,
      at timestamptz not null,
      ends_at timestamptz not null,
      reason text not null
    )`.execute(db);
  await sql`create index referral_openings_of on referral_openings (referral_id, id desc)`.execute(db);
  await sql`
    create trigger referral_openings_append_only before update or truncate on referral_openings
    for each statement execute function refuse_change()`.execute(db);
}
