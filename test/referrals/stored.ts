import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import { type Db, inTransaction, type Trx } from '../../src/platform/database/index.ts';
import type { ReferralAssignments, Referrals } from '../../src/platform/database/tables.ts';
import type { ReferralStatus } from '../../src/referrals/index.ts';
import { storedEntries } from '../audit/stored.ts';

// What the database holds about referrals, for tests that look behind the API.

type StoredReferral = {
  familyName: string | null;
  status: string;
  /** The statuses of its history, the actions of the audit and the types of the events about it, oldest first. */
  history: string[];
  audit: string[];
  events: string[];
  deliveries: number;
};

/** The referrals and what is stored with them, in the order in which they were made. */
export async function storedReferrals(db: Db, ids: readonly string[]): Promise<StoredReferral[]> {
  const { rows } = await sql<StoredReferral>`
    select content #>> '{patient,family_name}' as "familyName", status,
      array(select to_status from referral_history where referral_id = r.id order by version) as history,
      array(select action from audit_entries where subject_id = r.id::text order by id) as audit,
      array(select type from new_events where referral_id = r.id order by id) as events,
      (select count(*)::int from deliveries where referral_id = r.id) as deliveries
    from referrals r where id = any(${ids}::uuid[]) order by id`.execute(db);
  return rows;
}

/** How many transactions have stored these referrals. */
export async function countTransactions(db: Db, ids: readonly string[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(distinct xmin::text)::int as count from referrals where id = any(${ids}::uuid[])`.execute(
    db,
  );
  return rows[0]!.count;
}

/** The kinds of news about a referral that nobody has been emailed yet. */
export async function storedNews(db: Db, referralId: string): Promise<string[]> {
  const news = db.selectFrom('pending_notifications').select('kind').where('referral_id', '=', referralId);
  return (await news.execute()).map(({ kind }) => kind);
}

/** Who did this to a referral, as the audit has it, and from which IP address. */
export function auditActors(db: Db, referralId: string, action: string) {
  return db
    .selectFrom('audit_entries')
    .select(['actor_name as name', 'address'])
    .where('subject_id', '=', referralId)
    .where('action', '=', action)
    .orderBy('id')
    .execute();
}

/** The actions that the audit has about a referral, oldest first; by one account, or by anybody. */
export async function auditedActions(db: Db, referralId: string, actorId?: string): Promise<string[]> {
  const entries = await storedEntries(db, {
    subjectId: referralId,
    ...(actorId !== undefined && { actorId }),
  });
  return entries.map(({ action }) => action);
}

/** As if the referral had been requested these hours earlier. */
export async function backdateRequest(db: Db, referralId: string, hours: number): Promise<void> {
  await sql`
    update referrals set requested_at = requested_at - make_interval(hours => ${hours}::int)
    where id = ${referralId}`.execute(db);
}

/** Every column of a referral. */
export function storedReferral(db: Db, id: string): Promise<Selectable<Referrals>> {
  return db.selectFrom('referrals').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

type Part = 'referral_messages' | 'referral_attachments' | 'referral_openings';

/** How many rows of a part a referral has. */
export async function countReferralParts(db: Db, part: Part, referralId: string): Promise<number> {
  const rows = await db.selectFrom(part).select('id').where('referral_id', '=', referralId).execute();
  return rows.length;
}

/** What is left of a file. */
export function storedFile(db: Db, id: string) {
  return db
    .selectFrom('referral_attachments')
    .select(['name', 'content'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}

/** The referrals whose referrers were reminded that nobody has answered. */
export async function remindedReferrals(db: Db): Promise<string[]> {
  const reminded = await db
    .selectFrom('referrals')
    .select('id')
    .where('reminded_at', 'is not', null)
    .orderBy('id')
    .execute();
  return reminded.map(({ id }) => id);
}

/** As if a referral had come this far, and nobody had been told. */
export async function setReferralStatus(db: Db, referralId: string, status: ReferralStatus): Promise<void> {
  await db.updateTable('referrals').set({ status }).where('id', '=', referralId).execute();
}

type PastEnd = { status?: ReferralStatus; birthDate?: string; now: Date };

/** As if a referral had ended this long ago, such as `8 years 1 day`. */
export async function backdateEnd(
  db: Db,
  referralId: string,
  ago: string,
  { status = 'completed', birthDate, now }: PastEnd,
): Promise<void> {
  await sql`
    update referrals set status = ${status}, version_at = ${now}::timestamptz - ${ago}::interval,
      content = case when ${birthDate ?? null}::text is null then content
        else jsonb_set(content, '{patient,birth_date}', to_jsonb(${birthDate ?? null}::text)) end
    where id = ${referralId}`.execute(db);
  // Its letters arrived long ago.
  await sql`update deliveries set status = 'received' where referral_id = ${referralId} and message_id is not null`.execute(
    db,
  );
}

/** Adds to what a referral says, behind the back of the site. */
export async function addToContent(db: Db, referralId: string, more: object): Promise<void> {
  await sql`
    update referrals set content = content || ${JSON.stringify(more)}::jsonb where id = ${referralId}`.execute(
    db,
  );
}

/** Changes columns of a referral, without anything that follows from that. */
export async function changeReferral(
  db: Db,
  referralId: string,
  change: Updateable<Referrals>,
): Promise<void> {
  await db.updateTable('referrals').set(change).where('id', '=', referralId).execute();
}

/** As if every referral had been cancelled, and none had a next date. */
export async function cancelAllReferrals(db: Db): Promise<void> {
  await db.updateTable('referrals').set({ status: 'cancelled', next_date: null }).execute();
}

/** As if somebody had told of a danger, and nobody were asked about it. */
export async function storeDanger(db: Db, referralId: string): Promise<void> {
  await db.insertInto('referral_dangers').values({ referral_id: referralId, asked_at: null }).execute();
}

/** Tries to change the reasons in the history of a referral. */
export async function rewriteHistory(db: Db, referralId: string): Promise<void> {
  await sql`update referral_history set reason = '{}' where referral_id = ${referralId}`.execute(db);
}

/** As if every file had been erased at once. */
export async function deleteAttachments(db: Db): Promise<void> {
  await db.deleteFrom('referral_attachments').execute();
}

/** From now on the database refuses every referral of a person with this family name. */
export async function refuseFamilyName(db: Db, familyName: string): Promise<void> {
  await sql`
    alter table referrals add constraint refused_name
    check (content #>> '{patient,family_name}' <> ${sql.lit(familyName)})`.execute(db);
}

/** Does the work while the database ends every transaction that stores a referral, as it ends a deadlock. */
export async function whileDeadlocked<T>(db: Db, work: () => Promise<T>): Promise<T> {
  await sql`
    create function be_ended() returns trigger language plpgsql as
    $$ begin raise exception 'deadlock detected' using errcode = '40P01'; end $$`.execute(db);
  await sql`
    create trigger be_ended before insert on referrals for each row execute function be_ended()`.execute(db);
  try {
    return await work();
  } finally {
    await sql`drop function be_ended cascade`.execute(db);
  }
}

/** Restricts a referral, or releases it, without anything that follows from that. */
export async function setRestricted(db: Db, referralId: string, restrictedAt: Date | null): Promise<void> {
  await db
    .updateTable('referrals')
    .set({ restricted_at: restrictedAt })
    .where('id', '=', referralId)
    .execute();
}

/** What is kept of the looks of an account, oldest first. */
export function storedLooks(db: Db, accountId: string) {
  return db
    .selectFrom('looks')
    .select(['kind', 'side', 'found', 'own', 'surname_key', 'postcode_key', 'number_key', 'referral_id'])
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute();
}

/** What somebody saw in lists. */
export function storedListLooks(db: Db, accountId: string) {
  return db
    .selectFrom('looks_in_lists')
    .select(['kind', 'referral_ids'])
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute();
}

/** The accounts on the weekly list of unusual access to records. */
export async function accountsToCheck(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('unusual_access').select('account_id').execute();
  return rows.map(({ account_id }) => account_id);
}

/** As if the last change of a referral had been for this reason. */
export async function overwriteHistoryReason(db: Db, referralId: string, code: string): Promise<void> {
  await inTransaction(db, async (trx) => {
    await sql`select set_config('onward.erasing', 'on', true)`.execute(trx);
    await sql`
      update referral_history set reason = jsonb_build_object('code', ${code}::text, 'text', '')
      where referral_id = ${referralId} and reason is not null`.execute(trx);
  });
}

/** The NHS numbers that were tried with other details, as keyed hashes. */
export function storedNumberAttempts(db: Db) {
  return db.selectFrom('number_attempts').selectAll().orderBy('at').execute();
}

/** Switches on the questionnaires of an organisation, with these people who look into worrying answers. */
export async function switchOnQuestionnaires(
  db: Db,
  { owner, deputy, asks = ['ons4'] }: { owner: string; deputy: string; asks?: readonly string[] },
): Promise<void> {
  await sql`
    insert into questionnaire_desks (organisation_id, is_on, owner_id, deputy_id, asks)
    select organisation_id, true, id, ${deputy}, ${[...asks]}::text[] from accounts where id = ${owner}`.execute(
    db,
  );
}

/** Who looks first into worrying answers for an organisation. */
export async function ownerOfQuestionnaires(db: Db, organisationId: string): Promise<string> {
  const desks = db.selectFrom('questionnaire_desks').select('owner_id');
  return (await desks.where('organisation_id', '=', organisationId).executeTakeFirstOrThrow()).owner_id;
}

/** As if an earlier version had emptied a copy of a record, and forgotten whose referrals were in it. */
export async function forgetReferralsOfCopy(db: Db, copyId: string): Promise<void> {
  await db.deleteFrom('record_copy_referrals').where('copy_id', '=', copyId).execute();
}

/** Assigns a referral, as an action does that is not over yet. */
export async function storeAssignment(trx: Trx, row: Insertable<ReferralAssignments>): Promise<void> {
  await trx.insertInto('referral_assignments').values(row).execute();
}

export function storedAssignment(db: Db, id: string): Promise<Selectable<ReferralAssignments>> {
  return db.selectFrom('referral_assignments').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

/** The prompts of a referral that nobody has dismissed. */
export function storedPrompts(db: Db, referralId: string) {
  return db
    .selectFrom('referral_prompts')
    .select(['kind', 'side'])
    .where('referral_id', '=', referralId)
    .where('dismissed_at', 'is', null)
    .execute();
}
