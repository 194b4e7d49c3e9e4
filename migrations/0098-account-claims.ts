import { type Kysely, sql } from 'kysely';

/** What staff of services without an account ask for, on the page of a link. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table account_claims (
      id uuid primary key,
      -- The organisation of the library whose service got the link.
      organization_id text not null,
      organization_name text not null,
      -- Who asks, in their own words.
      name text not null,
      role text not null,
      email text not null,
      -- The address that got the link, and whether somebody had opened it with a code.
      link_address text not null,
      had_code boolean not null,
      made_at timestamptz not null,
      answered_at timestamptz,
      answered_by text,
      granted boolean
    )`.execute(db);
  await sql`create unique index account_claims_open on account_claims (organization_id, email) where answered_at is null`.execute(
    db,
  );
}
