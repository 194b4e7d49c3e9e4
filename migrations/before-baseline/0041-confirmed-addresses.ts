import { type Kysely, sql } from 'kysely';

/** A new address for letters is confirmed before one goes there; those that are set already count as confirmed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table pending_delivery_addresses (
      service_id text references services on delete cascade,
      practice_ods_code text references practices on delete cascade,
      channel text not null,
      address text not null,
      -- Of the system at the address, sealed under the site key.
      secret bytea,
      -- Of the link that confirms it.
      link_hash bytea not null unique,
      asked_at timestamptz not null,
      expires_at timestamptz not null,
      check (num_nonnulls(service_id, practice_ods_code) = 1),
      unique nulls not distinct (service_id, practice_ods_code, channel)
    )`.execute(db);
  await sql`
    create table delivery_address_history (
      id uuid primary key,
      service_id text references services on delete cascade,
      practice_ods_code text references practices on delete cascade,
      channel text not null,
      at timestamptz not null,
      actor_name text not null,
      what text not null check (what in ('asked', 'confirmed', 'removed', 'taken-back')),
      -- The old and the new address as JSON, sealed under the site key.
      sealed bytea not null,
      check (num_nonnulls(service_id, practice_ods_code) = 1)
    )`.execute(db);
  await sql`
    create index delivery_address_history_of on delivery_address_history (service_id, practice_ods_code, id)`.execute(
    db,
  );
  // If no address was set, letters went to the person who answers. That address is confirmed like the others.
  await sql`
    insert into delivery_addresses (service_id, channel, address, updated_at)
    select service_id, 'answer_email', answer_email, updated_at from service_referral_settings
    where answer_email is not null`.execute(db);
}
