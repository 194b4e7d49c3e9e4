import { type Kysely, sql } from 'kysely';

/** The links by which services answer referrals without an account, and whether a service wants that. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table answer_links (
      id uuid primary key,
      referral_id uuid not null references referrals on delete cascade,
      -- The email address that has the link.
      address text not null,
      -- A keyed hash: a copied database opens nothing.
      secret_hash bytea not null unique,
      created_at timestamptz not null,
      -- When somebody ended the referral by it.
      ended_at timestamptz,
      unique (referral_id, address)
    )`.execute(db);
  await sql`
    alter table service_referral_settings
      add column answer_by_link boolean not null default true`.execute(db);
}
