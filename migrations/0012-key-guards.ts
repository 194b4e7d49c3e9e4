import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await keyGuards(db);
  await keyAddresses(db);
  await keyCalls(db);
}

/** What the holder of an account allows its refresh token. New keys keep it. */
async function keyGuards(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table refresh_tokens
      -- From where it may be used, in the form that platform/addresses gives networks; empty is from anywhere.
      add column networks text[] not null default '{}' check (cardinality(networks) <= 20),
      -- After how many days without a use it stops working; null is never.
      add column idle_days integer check (idle_days between 7 and 365)`.execute(db);
}

/** From where an account's refresh token was used, or tried in vain. Forgotten when new keys are made. */
async function keyAddresses(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table key_addresses (
      account_id uuid not null references accounts on delete cascade,
      -- An IPv4 address, or the /64 of an IPv6 address.
      network text not null,
      refused boolean not null,
      first_seen_at timestamptz not null,
      primary key (account_id, network, refused)
    )`.execute(db);
  // Where a token is used from today is not new to its holder. (Of IPv6 the network would have to be worked out.)
  await sql`
    insert into key_addresses (account_id, network, refused, first_seen_at)
    select account_id, last_used_address, false, last_used_at from refresh_tokens
    where last_used_address ~ '^[0-9.]+$'`.execute(db);
}

/** When and from where an account last called with any of its access tokens, to the minute. */
async function keyCalls(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table key_calls (
      account_id uuid primary key references accounts on delete cascade,
      last_called_at timestamptz not null,
      last_called_address text not null
    )`.execute(db);
}
