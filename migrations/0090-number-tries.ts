import { type Kysely, sql } from 'kysely';

/** Somebody who knows a person’s NHS number must not find the birth date by trying one after another. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table number_tries (
      -- Keyed hashes of the NHS number, and of the names and birth date that were sent with it.
      number_key bytea not null,
      details_key bytea not null,
      account_id uuid not null references accounts on delete cascade,
      at timestamptz not null,
      primary key (number_key, account_id, details_key)
    )`.execute(db);
  await sql`create index number_tries_account on number_tries (account_id)`.execute(db);
  await sql`alter table looks_to_check drop constraint looks_to_check_reason_check`.execute(db);
  await sql`
    alter table looks_to_check add constraint looks_to_check_reason_check check (reason in ('own-name', 'own-email',
      'many-misses', 'no-action', 'sensitive', 'audit-opened', 'namesake', 'number-tries'))`.execute(db);
}
