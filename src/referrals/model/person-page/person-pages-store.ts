import { type RawBuilder, sql } from 'kysely';
import { anyOfValuesSql, type Db, type Trx } from '../../../platform/database/index.ts';
import { dropMailsOfLinks } from '../../../platform/mail/index.ts';
import { type CodeState, codeColumns, codeValues } from '../../../platform/secrets/index.ts';
import type { PageEndReason, PersonAnswer } from './person-page.ts';

/** A page that was sent to a person, as its sides may see it: without its secret. */
export type PersonPage = {
  id: string;
  referralId: string;
  address: string;
  sentAt: Date;
  sentByName: string;
  openedAt: Date | null;
  endedAt: Date | null;
  endReason: PageEndReason | null;
  endedByName: string | null;
  /**
   * Since when the page is withheld: nothing goes to the person, because another referral says that messages are not safe. Nobody is shown
   * this, and the page looks as if it had been sent.
   */
  withheldAt: Date | null;
};

/** With the state of its code. */
export type PageWithCode = PersonPage & CodeState;

const columns = [
  'id',
  'referral_id as referralId',
  'address',
  'sent_at as sentAt',
  'sent_by_name as sentByName',
  'opened_at as openedAt',
  'ended_at as endedAt',
  'end_reason as endReason',
  'ended_by_name as endedByName',
  'withheld_at as withheldAt',
] as const;

type NewPage = Pick<PersonPage, 'id' | 'referralId' | 'address' | 'sentAt' | 'sentByName' | 'withheldAt'> & {
  secretHash: Buffer;
};

/** The referral has no other page that is open: `endPersonPages` comes before. */
export async function insertPersonPage(trx: Trx, page: NewPage): Promise<void> {
  await trx
    .insertInto('person_pages')
    .values({
      id: page.id,
      referral_id: page.referralId,
      address: page.address,
      secret_hash: page.secretHash,
      sent_at: page.sentAt,
      sent_by_name: page.sentByName,
      withheld_at: page.withheldAt,
    })
    .execute();
}

/** The page of a link; undefined if this site never made it. */
export async function findPageBySecret(db: Db, secretHash: Buffer): Promise<PageWithCode | undefined> {
  const row = await selectPage(db, secretHash).executeTakeFirst();
  return row as PageWithCode | undefined;
}

/** Locks the page of a link: tries that arrive together are counted one after the other. */
export async function lockPageBySecret(trx: Trx, secretHash: Buffer): Promise<PageWithCode | undefined> {
  const row = await selectPage(trx, secretHash).forUpdate().executeTakeFirst();
  return row as PageWithCode | undefined;
}

function selectPage(db: Db, secretHash: Buffer) {
  return db
    .selectFrom('person_pages')
    .select([...columns, ...codeColumns])
    .where('secret_hash', '=', secretHash);
}

/** All pages of these referrals, the oldest first, by the referral's id. */
export async function listPersonPages(
  db: Db,
  referralIds: readonly string[],
): Promise<Map<string, PersonPage[]>> {
  if (referralIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('person_pages')
    .select(columns)
    .where('referral_id', '=', anyOfValuesSql(referralIds))
    .orderBy('id')
    .execute();
  return Map.groupBy(rows as PersonPage[], ({ referralId }) => referralId);
}

/** Ends every page of the referral, closes it in each browser, and drops what waits to be sent about it. @returns how many were open */
export async function endPersonPages(
  trx: Trx,
  referralId: string,
  { reason, byName = null, at }: { reason: PageEndReason; byName?: string | null; at: Date },
): Promise<number> {
  const ended = await trx
    .updateTable('person_pages')
    .set({ ended_at: at, end_reason: reason, ended_by_name: byName, code_hash: null, code_until: null })
    .where('referral_id', '=', referralId)
    .where('ended_at', 'is', null)
    .returning('id')
    .execute();
  const ids = ended.map(({ id }) => id);
  await closePages(trx, ids, at);
  return ids.length;
}

async function closePages(trx: Trx, ids: readonly string[], at: Date): Promise<void> {
  if (ids.length === 0) return;
  await trx.deleteFrom('person_page_visits').where('page_id', '=', anyOfValuesSql(ids)).execute();
  await dropMailsOfLinks(trx, ids, at);
}

/** Undefined if there is no such page, as after an erasure. */
export async function findPageById(db: Db, id: string): Promise<PersonPage | undefined> {
  const row = await db.selectFrom('person_pages').select(columns).where('id', '=', id).executeTakeFirst();
  return row as PersonPage | undefined;
}

/** Nothing more goes to the person about the open page of the referral, and it is closed in each browser. Its staff see it as before. */
export async function withholdPersonPages(trx: Trx, referralId: string, at: Date): Promise<void> {
  const withheld = await trx
    .updateTable('person_pages')
    .set({ withheld_at: at, code_hash: null, code_until: null })
    .where('referral_id', '=', referralId)
    .where('ended_at', 'is', null)
    .where('withheld_at', 'is', null)
    .returning('id')
    .execute();
  const ids = withheld.map(({ id }) => id);
  await closePages(trx, ids, at);
}

/** Stores what became of the code of a locked page. */
export async function setCodeState(trx: Trx, id: string, state: CodeState): Promise<void> {
  await trx.updateTable('person_pages').set(codeValues(state)).where('id', '=', id).execute();
}

/** Somebody has entered the right code: the page is open for their browser. */
export async function insertVisit(
  trx: Trx,
  pageId: string,
  { tokenHash, at, endsAt }: { tokenHash: Buffer; at: Date; endsAt: Date },
): Promise<void> {
  await trx
    .insertInto('person_page_visits')
    .values({ token_hash: tokenHash, page_id: pageId, ends_at: endsAt })
    .execute();
  await trx
    .updateTable('person_pages')
    .set({ opened_at: at })
    .where('id', '=', pageId)
    .where('opened_at', 'is', null)
    .execute();
}

/** Whether the page is open for the browser with this cookie. */
export async function hasVisit(db: Db, pageId: string, tokenHash: Buffer, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('person_page_visits')
    .select('page_id')
    .where('token_hash', '=', tokenHash)
    .where('page_id', '=', pageId)
    .where('ends_at', '>', now)
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteVisit(db: Db, tokenHash: Buffer): Promise<void> {
  await db.deleteFrom('person_page_visits').where('token_hash', '=', tokenHash).execute();
}

export async function deleteEndedVisits(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('person_page_visits').where('ends_at', '<=', now).execute();
}

export type StoredAnswer = { id: string; referralId: string; at: Date; answer: PersonAnswer };

export async function insertPersonAnswer(
  trx: Trx,
  { id, referralId, at, answer }: StoredAnswer,
): Promise<void> {
  await trx.insertInto('person_answers').values({ id, referral_id: referralId, at, answer }).execute();
}

/** Everything that people said on the pages of these referrals, the oldest first, by the referral's id. */
export async function listPersonAnswers(
  db: Db,
  referralIds: readonly string[],
): Promise<Map<string, StoredAnswer[]>> {
  if (referralIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('person_answers')
    .select(['id', 'referral_id as referralId', 'at', 'answer'])
    .where('referral_id', '=', anyOfValuesSql(referralIds))
    .orderBy('id')
    .execute();
  return Map.groupBy(rows as StoredAnswer[], ({ referralId }) => referralId);
}

/** What a person said last of whether they got help, and last that they no longer want the referral. */
export function lastSaid(answers: readonly StoredAnswer[]): { ofHelp?: StoredAnswer; toStop?: StoredAnswer } {
  const ofHelp = answers.findLast(({ answer }) => answer !== 'no-longer-wanted');
  const toStop = answers.findLast(({ answer }) => answer === 'no-longer-wanted');
  return { ...(ofHelp && { ofHelp }), ...(toStop && { toStop }) };
}

/** What the person no longer wanted has been ended by the side that referred them. */
export const wishIsMetSql = sql`(referrals.cancelled_by_referrer or referrals.status = 'entered-in-error')`;

/** The person of this row of `referrals` said this, and nobody of the referrer's side has dealt with the prompt for it. */
const isUnsettledSql = (
  answer: PersonAnswer,
  prompt: 'person-not-helped' | 'person-wants-to-stop',
): RawBuilder<boolean> => sql`(
  exists (select from person_answers a where a.referral_id = referrals.id and a.answer = ${sql.lit(answer)})
  and not exists (
    select from referral_prompts p
    where p.referral_id = referrals.id and p.kind = ${sql.lit(prompt)} and p.dismissed_at is not null))`;

export const isNotHelpedSql = isUnsettledSql('did-not-get-help', 'person-not-helped');

export const wantsToStopSql = sql<boolean>`(
  not ${wishIsMetSql} and ${isUnsettledSql('no-longer-wanted', 'person-wants-to-stop')})`;

/** Whether the person once said that they did not get help, and nobody of the referrer's side has dealt with it. */
export async function isLackOfHelpOpen(db: Db, referralId: string): Promise<boolean> {
  const { rows } = await sql`select from referrals where id = ${referralId} and ${isNotHelpedSql}`.execute(
    db,
  );
  return rows.length > 0;
}

/** When the person said that they no longer want the referral; undefined once somebody of the referrer's side has dealt with it. */
export async function findOpenWishToStop(db: Db, referralId: string): Promise<Date | undefined> {
  const { rows } = await sql<{ at: Date }>`
    select a.at from referrals join person_answers a on a.referral_id = referrals.id and a.answer = 'no-longer-wanted'
    where referrals.id = ${referralId} and ${wantsToStopSql} order by a.at desc limit 1`.execute(db);
  return rows[0]?.at;
}

/**
 * Whether the person says that they got help, by the referral's id, for those who said so last. Reports count it beside what the service
 * says (figure F5).
 */
export async function listHelpAsPersonSays(
  db: Db,
  referralIds: readonly string[],
): Promise<Map<string, boolean>> {
  const answers = await listPersonAnswers(db, referralIds);
  const help = [...answers].flatMap(([id, each]): [string, boolean][] => {
    const { ofHelp } = lastSaid(each);
    return ofHelp ? [[id, ofHelp.answer === 'got-help']] : [];
  });
  return new Map(help);
}

/** Keeps that the referrer ticked the page after the referral was sent. */
export async function setPersonPage(trx: Trx, id: string, choice: { send: boolean }): Promise<void> {
  await sql`
    update referrals set content = content || ${JSON.stringify({ person_page: choice })}::jsonb where id = ${id}`.execute(
    trx,
  );
}

/** Closes every page in every browser. */
export async function deleteAllVisits(trx: Trx): Promise<void> {
  await trx.deleteFrom('person_page_visits').execute();
}

/** The addresses of people who have a page that nobody has ended, and that is not withheld. */
export async function listOpenPageAddresses(db: Db): Promise<string[]> {
  const pages = db
    .selectFrom('person_pages')
    .select('address')
    .distinct()
    .where('ended_at', 'is', null)
    .where('withheld_at', 'is', null);
  return (await pages.execute()).map(({ address }) => address);
}
