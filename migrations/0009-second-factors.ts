import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // What a page calls a session by: the hash of its secret is not for pages.
  await sql`alter table sessions add column id uuid not null unique default gen_random_uuid()`.execute(db);
  await sql`create index sessions_expires_at on sessions (expires_at)`.execute(db);
  await sql`
    create table authenticators (
      account_id uuid primary key references accounts on delete cascade,
      -- Opens only with the site key.
      sealed bytea not null,
      created_at timestamptz not null,
      -- Null until its holder has shown a first code: until then it counts for nothing.
      confirmed_at timestamptz,
      -- The 30 seconds whose code was used last; a code of these or earlier ones is worth nothing any more.
      last_counter bigint not null default 0
    )`.execute(db);
  await sql`
    create table recovery_codes (
      account_id uuid not null references accounts on delete cascade,
      code_hash bytea not null,
      created_at timestamptz not null,
      primary key (account_id, code_hash)
    )`.execute(db);
  await sql`
    create table passkeys (
      id uuid primary key,
      account_id uuid not null references accounts on delete cascade,
      credential_id text not null unique,
      public_key bytea not null,
      sign_count bigint not null,
      transports text[] not null,
      name text not null,
      created_at timestamptz not null,
      last_used_at timestamptz
    )`.execute(db);
  await sql`create index passkeys_account on passkeys (account_id)`.execute(db);
  await sql`
    create table passkey_challenges (
      challenge text primary key,
      purpose text not null check (purpose in ('register', 'sign in', 'second factor')),
      account_id uuid references accounts on delete cascade,
      expires_at timestamptz not null
    )`.execute(db);
  await sql`create index passkey_challenges_expires_at on passkey_challenges (expires_at)`.execute(db);
  // Somebody who has shown the right password, and must show a second factor yet.
  await sql`
    create table sign_in_steps (
      id_hash bytea primary key,
      account_id uuid not null references accounts on delete cascade,
      tries_left smallint not null,
      expires_at timestamptz not null
    )`.execute(db);
  await sql`create index sign_in_steps_account on sign_in_steps (account_id)`.execute(db);
  await sql`create index sign_in_steps_expires_at on sign_in_steps (expires_at)`.execute(db);
}
