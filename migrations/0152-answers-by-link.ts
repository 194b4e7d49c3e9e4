import { type Kysely, sql } from 'kysely';

/** Reports left out the answers of people who have no account. Referrals that may have one are read again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    update report_facts set row_version = 0
    where answered_at is null and (accepted_at is not null or ended_at is not null)`.execute(db);
  await sql`update report_progress set read_until = '2000-01-01T00:00:00Z'`.execute(db);
}
