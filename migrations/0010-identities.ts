import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table identities (
      id uuid primary key,
      account_id uuid not null references accounts on delete cascade,
      -- The two together are who somebody is at a provider. An e-mail address is not: it can be given to another.
      issuer text not null,
      subject text not null,
      linked_at timestamptz not null,
      last_used_at timestamptz,
      unique (issuer, subject),
      unique (account_id, issuer)
    )`.execute(db);
  await sql`
    create table oidc_flows (
      -- Keyed hashes: neither lets anybody finish a sign-in who has read them here.
      state_hash bytea primary key,
      browser_hash bytea not null,
      account_id uuid references accounts on delete cascade,
      -- Nonce, code verifier and what it is for; opens only with the site key.
      sealed bytea not null,
      expires_at timestamptz not null
    )`.execute(db);
  await sql`create index oidc_flows_expires_at on oidc_flows (expires_at)`.execute(db);
  await sql`create index oidc_flows_account on oidc_flows (account_id)`.execute(db);
}
