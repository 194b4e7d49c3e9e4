import { sql } from 'kysely';
import type { Trx } from '../../platform/database/index.ts';

/**
 * Marks the facts of a referral as those of an erased one. They stay as they are if it was sent in or after the first month that is not
 * published; otherwise the erasure deletes them, and what is left of the referral is read again.
 */
export async function markErased(trx: Trx, id: string, firstUnpublished: string | undefined): Promise<void> {
  await sql`
    update report_facts set erased = true, kept_until_published = true
    where referral_id = ${id} and sent_on >= ${firstUnpublished ?? null}::date`.execute(trx);
}

/**
 * Deletes the facts kept of erased referrals that no month needs any more: of those sent before the first month that is not published.
 * @returns the ids of the referrals
 */
export async function deleteKept(trx: Trx, firstUnpublished: string | undefined): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    delete from report_facts
    where kept_until_published and (${firstUnpublished ?? null}::date is null or sent_on < ${firstUnpublished ?? null}::date)
    returning referral_id as id`.execute(trx);
  return rows.map(({ id }) => id);
}
