import { sql } from 'kysely';
import { anyOfValuesSql, type Db } from '../../../../platform/database/index.ts';

/**
 * What people wrote about each referral beside its fields: messages, changes in the person’s life, how it ended, and names of files. It may
 * tell of a danger that the referral itself does not.
 */
export async function listLaterTexts(
  db: Db,
  referralIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (referralIds.length === 0) return new Map();
  const { rows } = await sql<{ id: string; texts: string[] }>`
    select referral_id as id, array_agg(text) as texts from (
      select referral_id, text from referral_messages
      union all select referral_id, text from referral_changes
      union all select referral_id, name from referral_attachments where removed_at is null
      union all select id, outcome ->> 'text' from referrals
      union all select id, status_reason ->> 'text' from referrals) as written
    where referral_id = ${anyOfValuesSql(referralIds)} and text is not null
    group by referral_id`.execute(db);
  return new Map(rows.map(({ id, texts }) => [id, texts]));
}

/** The same for one referral. */
export async function findLaterTexts(db: Db, { id }: { id: string }): Promise<readonly string[]> {
  return (await listLaterTexts(db, [id])).get(id) ?? [];
}
