import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table access_tokens (
      hash bytea primary key,
      account_id uuid not null references accounts on delete cascade,
      key_epoch integer not null,
      source text not null check (source in ('apikeys', 'refresh', 'apilogin')),
      issued_at timestamptz not null,
      valid_to timestamptz not null
    )`.execute(db);
  await sql`create index access_tokens_valid_to on access_tokens (valid_to)`.execute(db);
  await sql`
    create table refresh_tokens (
      account_id uuid primary key references accounts on delete cascade,
      hash bytea not null unique,
      -- For the keys page alone, which shows the token again; opens only with the site key.
      sealed bytea not null,
      issued_at timestamptz not null,
      last_used_at timestamptz,
      last_used_address text
    )`.execute(db);
}
