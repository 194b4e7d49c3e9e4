import { type Kysely, sql } from 'kysely';

/** A referral that ended because the person has died was neither answered nor declined: the reports count it again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    update report_facts set answered_at = null where status = 'rejected' and end_reason = 'died'`.execute(db);
  await sql`update report_days set counts = null`.execute(db);
  await sql`update report_month_counts set counts = null`.execute(db);
}
