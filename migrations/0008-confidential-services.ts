import { type Kysely, sql } from 'kysely';

/** Marks of services that people may be hurt for using, and of places that must not be found. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table service_referral_settings
      add column sensitive boolean not null default false,
      add column location_confidential boolean not null default false`.execute(db);
}
