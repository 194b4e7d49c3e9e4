import { sql } from 'kysely';
import type { Trx } from '../../platform/database/index.ts';

/**
 * Keeps the facts of a referral that is about to be erased, if it was sent in or after the first month that is not published. Otherwise
 * the erasure deletes them, and new facts are made of what is left of the referral.
 */
export async function keepFactsOfErased(
  trx: Trx,
  id: string,
  firstUnpublished: string | undefined,
): Promise<void> {
  await sql`
    update report_facts set erased = true, kept_until_published = true
    where referral_id = ${id} and sent_on >= ${firstUnpublished ?? null}::date`.execute(trx);
}

/** Deletes the facts kept of erased referrals that were sent before the first month that is not published. @returns their ids */
export async function deleteFactsOfErased(trx: Trx, firstUnpublished: string | undefined): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    delete from report_facts
    where kept_until_published and (${firstUnpublished ?? null}::date is null or sent_on < ${firstUnpublished ?? null}::date)
    returning referral_id as id`.execute(trx);
  return rows.map(({ id }) => id);
}
