import { sql } from 'kysely';
import type { Db, Trx } from '../../platform/database/index.ts';
import { type Author, authorRow } from '../model/actors/authors.ts';
import type { Side } from '../model/status/state-machine.ts';

/** What one side told the other of a change in the person's life. */
export type LifeChange = Author & {
  id: string;
  at: Date;
  side: Side;
  text: string;
  raisedUrgency: boolean;
  confirmedAt: Date | null;
  confirmedByName: string | null;
};

export async function insertLifeChange(
  trx: Trx,
  referralId: string,
  change: Omit<LifeChange, 'confirmedAt' | 'confirmedByName'>,
): Promise<void> {
  await trx
    .insertInto('referral_changes')
    .values({
      id: change.id,
      referral_id: referralId,
      at: change.at,
      side: change.side,
      ...authorRow(change),
      text: change.text,
      raised_urgency: change.raisedUrgency,
    })
    .execute();
}

/** Newest first. */
export async function listLifeChanges(db: Db, referralId: string): Promise<LifeChange[]> {
  const { rows } = await sql<LifeChange>`
    select id, at, side, text, raised_urgency as "raisedUrgency", author_id as "authorId", author_name as "authorName",
      author_organisation as "authorOrganisation", author_organisation_id as "authorOrganisationId", confirmed_at as "confirmedAt",
      confirmed_by_name as "confirmedByName"
    from referral_changes where referral_id = ${referralId} order by id desc`.execute(db);
  return rows;
}

/** Records that somebody has read a change. The first to confirm it is kept. @returns whether this was the first time */
export async function confirmLifeChange(
  trx: Trx,
  change: { referralId: string; id: string },
  reader: { id: string | null; name: string },
  at: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('referral_changes')
    .set({ confirmed_at: at, confirmed_by: reader.id, confirmed_by_name: reader.name })
    .where('referral_id', '=', change.referralId)
    .where('id', '=', change.id)
    .where('confirmed_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
