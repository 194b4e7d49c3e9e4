import { sql } from 'kysely';
import type { Db, Trx } from '../../platform/database/index.ts';

type AnswerLink = { id: string; referralId: string; address: string; endedAt: Date | null };

type NewLink = { id: string; referralId: string; address: string; secretHash: Buffer; at: Date };

/** The id of the one link that an address has to answer a referral. An erased referral gets none. */
export async function findOrInsertLink(
  db: Db,
  { id, referralId, address, secretHash, at }: NewLink,
): Promise<string | undefined> {
  const find = () =>
    db
      .selectFrom('answer_links')
      .select('id')
      .where('referral_id', '=', referralId)
      .where('address', '=', address)
      .executeTakeFirst();
  const found = await find();
  if (found) return found.id;
  await sql`
    insert into answer_links (id, referral_id, address, secret_hash, created_at)
    select ${id}, id, ${address}, ${secretHash}, ${at} from referrals where id = ${referralId} and erased_at is null
    on conflict (referral_id, address) do nothing`.execute(db);
  return (await find())?.id;
}

export function findLinkByHash(db: Db, secretHash: Buffer): Promise<AnswerLink | undefined> {
  return db
    .selectFrom('answer_links')
    .select(['id', 'referral_id as referralId', 'address', 'ended_at as endedAt'])
    .where('secret_hash', '=', secretHash)
    .executeTakeFirst();
}

/** Somebody ended the referral by this link. */
export async function setLinkEnded(trx: Trx, id: string, at: Date): Promise<void> {
  await trx.updateTable('answer_links').set({ ended_at: at }).where('id', '=', id).execute();
}

/** When somebody last declined the referral by a link; null if nobody did. */
export async function findDeclinedByLink(db: Db, referralId: string): Promise<Date | null> {
  const { declinedAt } = await db
    .selectFrom('answer_links')
    .select(({ fn }) => fn.max('ended_at').as('declinedAt'))
    .where('referral_id', '=', referralId)
    .executeTakeFirstOrThrow();
  return declinedAt;
}
