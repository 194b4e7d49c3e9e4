import { type Kysely, sql } from 'kysely';

/** System accounts: an integration outlives the person who set it up. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table accounts
      add column is_system boolean not null default false,
      -- The person who looks after a system and its keys; null while nobody does.
      add column owner_id uuid references accounts,
      -- Nobody signs in as a system, it belongs to an organisation, and to run the site is for people.
      add constraint accounts_system check (case when is_system
        then password_hash is null and organisation_id is not null and not 'operator' = any(roles)
        else owner_id is null end)`.execute(db);
  await sql`create index accounts_owner on accounts (owner_id) where owner_id is not null`.execute(db);
  await sql`create unique index accounts_system_name on accounts (organisation_id, lower(name)) where is_system`.execute(
    db,
  );
}
