import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table organisations (
      id uuid primary key,
      name text not null,
      ods_code text,
      -- Names change in the library and occur twice there: an organisation of the library is known by this alone.
      library_organization_id text unique,
      created_at timestamptz not null
    )`.execute(db);
  await sql`
    create unique index organisations_name on organisations (name) where library_organization_id is null`.execute(
    db,
  );
  await sql`
    create table accounts (
      id uuid primary key,
      email text not null unique check (email = lower(email)),
      name text not null,
      roles text[] not null check (roles <@ array['operator', 'referrer', 'provider'] and cardinality(roles) > 0),
      organisation_id uuid references organisations,
      password_hash text,
      api_access boolean not null default false,
      -- Grows when outstanding access tokens must die; a token is worth something only in the epoch it was made in.
      key_epoch integer not null default 1,
      disabled_at timestamptz,
      created_at timestamptz not null
    )`.execute(db);
  await sql`
    create table sessions (
      id_hash bytea primary key,
      account_id uuid not null references accounts on delete cascade,
      created_at timestamptz not null,
      authenticated_at timestamptz not null,
      last_seen_at timestamptz not null,
      expires_at timestamptz not null,
      address text
    )`.execute(db);
  await sql`create index sessions_account on sessions (account_id)`.execute(db);
}
