import { type Kysely, sql } from 'kysely';

/** Worklists ask which endings by link the referrer can still check. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index answer_links_to_check on answer_links (ended_at)
    where ended_at is not null and checked_at is null`.execute(db);
}
