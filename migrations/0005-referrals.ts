import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await referrals(db);
  await lists(db);
  await history(db);
  await idempotency(db);
}

async function referrals(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table referrals (
      id uuid primary key,
      reference text not null unique,
      status text not null,
      status_reason jsonb,
      version integer not null,
      urgency text not null,
      simulated boolean not null,
      service_id text not null,
      service_name text not null,
      -- The library's organisation that answers for the service; null where the library names none.
      service_organization_id text,
      service_organization_name text,
      referrer_account_id uuid not null references accounts,
      referrer_organisation_id uuid references organisations,
      practice_ods_code text,
      practice_name text,
      -- Keyed hashes by which a second referral of the same person is noticed without reading who they are.
      patient_name_key bytea not null,
      patient_number_key bytea,
      -- Everything clinical or personal, as the API gives it: patient, referrer, reasons, consent and so on.
      content jsonb not null,
      outcome jsonb,
      due_at timestamptz,
      created_at timestamptz not null,
      updated_at timestamptz not null
    )`.execute(db);
  await sql`create index referrals_same_name on referrals (patient_name_key, service_id)`.execute(db);
  await sql`
    create index referrals_same_number on referrals (patient_number_key, service_id)
    where patient_number_key is not null`.execute(db);
}

/**
 * For each way of seeing referrals, what serves its lists: without a filter, by status, by service, by the last change.
 * Each has all that its list asks for, so that PostgreSQL is not tempted to walk through everybody's referrals by the
 * primary key until it has met enough that fit: see referrals/listing/list-store.ts.
 */
async function lists(db: Kysely<unknown>): Promise<void> {
  const ways = {
    made: sql`referrer_organisation_id`,
    made_by_account: sql`referrer_account_id`,
    received: sql`service_organization_id`,
  };
  for (const [name, way] of Object.entries(ways)) {
    const index = (rest: string) => sql.id(`referrals_${name}${rest}`);
    await sql`create index ${index('')} on referrals (${way}, id desc) include (updated_at)`.execute(db);
    await sql`create index ${index('_status')} on referrals (${way}, status, id desc)`.execute(db);
    await sql`create index ${index('_service')} on referrals (${way}, service_id, id desc)`.execute(db);
    await sql`create index ${index('_updated')} on referrals (${way}, updated_at, id)`.execute(db);
  }
  await sql`create index referrals_status on referrals (status, id desc)`.execute(db);
  await sql`create index referrals_updated on referrals (updated_at, id)`.execute(db);
  await sql`create index referrals_service on referrals (service_id, id desc)`.execute(db);
}

async function history(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table referral_history (
      referral_id uuid not null references referrals on delete cascade,
      version integer not null,
      at timestamptz not null,
      actor_id uuid not null,
      actor_name text not null,
      actor_organisation text,
      from_status text,
      to_status text not null,
      reason jsonb,
      primary key (referral_id, version)
    )`.execute(db);
  await sql`
    create trigger referral_history_append_only before update or truncate on referral_history
    for each statement execute function refuse_change()`.execute(db);
}

async function idempotency(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table idempotency_keys (
      account_id uuid not null references accounts on delete cascade,
      key text not null,
      request_hash bytea not null,
      referral_id uuid not null references referrals on delete cascade,
      answer json not null,
      created_at timestamptz not null,
      primary key (account_id, key)
    )`.execute(db);
  await sql`create index idempotency_keys_created_at on idempotency_keys (created_at)`.execute(db);
}
