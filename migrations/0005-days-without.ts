import { type Kysely, sql } from 'kysely';

/** What a site needs for the days on which it was away. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table check_first (
      id uuid primary key,
      -- When the backup was made that the site was restored from.
      backup_made_at timestamptz not null,
      restored_at timestamptz not null,
      confirmed_at timestamptz,
      confirmed_by uuid references accounts on delete set null
    )`.execute(db);
  await sql`create unique index check_first_open on check_first ((true)) where confirmed_at is null`.execute(
    db,
  );
}
