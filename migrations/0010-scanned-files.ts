import { type Kysely, sql } from 'kysely';

/** Whether a virus scanner has looked at a file. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table referral_attachments add column scanned boolean not null default false`.execute(db);
}
