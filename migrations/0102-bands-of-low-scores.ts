import { type Kysely, sql } from 'kysely';

/** Reports count UCLA-3 as low from 6, and SWEMWBS up to 19.5, as was published: what was measured is read again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update report_facts set row_version = 0 where changes is not null`.execute(db);
  // Before any site began, so that everything is read again.
  await sql`update report_progress set read_until = '2000-01-01T00:00:00Z'`.execute(db);
}
