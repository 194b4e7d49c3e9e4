import { sql } from 'kysely';
import type { Db } from '../database/index.ts';

/** How many emails were given up since then, and why the last of them was. */
export async function findFailedMails(
  db: Db,
  since: Date,
): Promise<{ count: number; lastReason: string | null }> {
  const { rows } = await sql<{ count: number; lastReason: string | null }>`
    select count(*)::int as count, (array_agg(reason order by finished_at desc))[1] as "lastReason"
    from mails where status = 'failed' and finished_at >= ${since}`.execute(db);
  return rows[0]!;
}
