import { type Kysely, sql } from 'kysely';

/** The hourly reminder finds what it has not reminded of yet, without reading everything that waits for an answer. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index referrals_unreminded on referrals (due_at) where status = 'requested' and reminded_at is null`.execute(
    db,
  );
}
