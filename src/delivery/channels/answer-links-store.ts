import { sql } from 'kysely';
import type { Db, Trx } from '../../platform/database/index.ts';
import { type CodeState, codeColumns, codeValues } from '../../platform/secrets/index.ts';
import type { BeforeEnd, EndedByLink } from '../../referrals/index.ts';
import { untilReferrerChecked } from '../model/held-by.ts';

export type AnswerLink = CodeState & {
  id: string;
  referralId: string;
  /** The email address that has the link. */
  address: string;
  endedAt: Date | null;
  /** The mailbox or mobile number that got the last code; null for a code from before texts, which went to the mailbox. */
  codeTo: string | null;
};

const linkColumns = [
  'id',
  'referral_id as referralId',
  'address',
  'ended_at as endedAt',
  'code_to as codeTo',
  ...codeColumns,
] as const;

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
    .select(linkColumns)
    .where('secret_hash', '=', secretHash)
    .executeTakeFirst();
}

export function findLinkById(db: Db, id: string): Promise<AnswerLink | undefined> {
  return db.selectFrom('answer_links').select(linkColumns).where('id', '=', id).executeTakeFirst();
}

/** Locks the link, so that codes that arrive at the same time are counted one after the other. */
export function lockLink(trx: Trx, id: string): Promise<AnswerLink | undefined> {
  return trx
    .selectFrom('answer_links')
    .select(linkColumns)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

/** Stores the state of the code of a locked link, and the address to which it went. */
export async function setCodeOfLink(trx: Trx, id: string, state: CodeState, codeTo: string): Promise<void> {
  await trx
    .updateTable('answer_links')
    .set({ ...codeValues(state), code_to: codeTo })
    .where('id', '=', id)
    .execute();
}

/** Stores that somebody ends the referral by this link. `before`: what the referral was until then. */
export async function setLinkEnded(
  trx: Trx,
  id: string,
  { before, at }: { before: BeforeEnd; at: Date },
): Promise<void> {
  await trx
    .updateTable('answer_links')
    .set({ ended_at: at, before_end: JSON.stringify(before), checked_at: null, person_told_at: null })
    .where('id', '=', id)
    .execute();
}

/** How somebody last ended the referral by a link; null if nobody did, or the referrer has checked it. */
export async function findEndedByLink(db: Db, referralId: string): Promise<EndedByLink | null> {
  const { rows } = await sql<{ at: Date; before: BeforeEnd | null; holdsLetter: boolean }>`
    select ended_at as at, before_end as before, exists (
      select from deliveries d where d.referral_id = l.referral_id and d.held_by = ${untilReferrerChecked}) as "holdsLetter"
    from answer_links l
    where referral_id = ${referralId} and ended_at is not null and checked_at is null
    order by ended_at desc limit 1`.execute(db);
  const [ended] = rows;
  return ended ? { ...ended, before: ended.before ?? beforeDecline } : null;
}

/** For links that ended a referral before `before_end` was stored: then a link could only decline. */
const beforeDecline: BeforeEnd = { status: 'requested', reason: null, expectedDate: null, nextDate: null };

/** Stores that the referral goes on, as if nobody had ended it by a link. */
export async function setEndingUndone(trx: Trx, referralId: string): Promise<void> {
  await trx
    .updateTable('answer_links')
    .set({ ended_at: null, before_end: null, person_told_at: null })
    .where('referral_id', '=', referralId)
    .execute();
}

/** The referrals, at most 200, that were ended by link before this time, and whose person was not told; the rest follow a minute later. */
export async function listEndingsToTell(db: Db, endedBefore: Date): Promise<string[]> {
  const { rows } = await sql<{ referralId: string }>`
    select referral_id as "referralId" from answer_links
    where ended_at <= ${endedBefore} and checked_at is null and person_told_at is null
    order by ended_at limit 200`.execute(db);
  return rows.map(({ referralId }) => referralId);
}

/** @returns whether this ending of a locked referral is still there, and nobody was told of it before. */
export async function setPersonTold(
  trx: Trx,
  referralId: string,
  { endedBefore, at }: { endedBefore: Date; at: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('answer_links')
    .set({ person_told_at: at })
    .where('referral_id', '=', referralId)
    .where('ended_at', '<=', endedBefore)
    .where('checked_at', 'is', null)
    .where('person_told_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Stores that the referrer says that the ending is right. */
export async function setEndingChecked(trx: Trx, referralId: string, at: Date): Promise<void> {
  await trx
    .updateTable('answer_links')
    .set({ checked_at: at })
    .where('referral_id', '=', referralId)
    .where('ended_at', 'is not', null)
    .execute();
}
