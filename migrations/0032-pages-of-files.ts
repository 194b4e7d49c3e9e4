import { type Kysely, sql } from 'kysely';

/** How many pages a file has, for the letters; null where it does not say, and for files from before. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table referral_attachments add column pages integer check (pages > 0)`.execute(db);
  await sql`update referral_attachments set pages = 1 where media_type <> 'application/pdf'`.execute(db);
}
