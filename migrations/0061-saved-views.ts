import { type Kysely, sql } from 'kysely';

/** The lists of referrals that people gave a name, with their tab, filters and order. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table saved_views (
      id uuid primary key,
      account_id uuid not null references accounts on delete cascade,
      name text not null,
      -- As the address of the list has it: view=received&tab=unanswered
      query text not null,
      created_at timestamptz not null
    )`.execute(db);
  await sql`create unique index saved_views_name on saved_views (account_id, lower(name))`.execute(db);
}
