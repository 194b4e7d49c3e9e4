import { sql } from 'kysely';
import { canSignInSql, fullNameColumnSql } from '../../accounts/index.ts';
import { anyOfValuesSql, type Db, type Trx } from '../../platform/database/index.ts';
import type { Author } from '../model/actors/authors.ts';
import { tellsOfDangerSql } from '../model/attention/dangers-store.ts';
import type { Side } from '../model/status/state-machine.ts';

/** Whose private casework it is: an organisation’s, or that of somebody without one. */
export type CaseworkTeam = { accountId: string; organisationId: string | null };

export type ReferralOwner = { id: string; name: string; isDisabled: boolean };

/**
 * Who looks after each of these referrals, on each of these sides. On the referrer's side that is the person who made it, until a colleague
 * is assigned; a system that made it looks after nothing.
 */
function ownersOfSql(referralIds: readonly string[], sides: readonly Side[]) {
  return sql`(
    select w.referral_id, w.side, w.account_id from referral_owners w
    where w.referral_id = any(${[...referralIds]}::uuid[]) and w.side = any(${[...sides]}::text[])
    union all
    select r.id, 'referrer', r.referrer_account_id from referrals r
    where r.id = any(${[...referralIds]}::uuid[]) and 'referrer' = any(${[...sides]}::text[])
      and not exists (select from referral_owners w where w.referral_id = r.id and w.side = 'referrer'))`;
}

/**
 * Who looks after a referral on these sides, as far as it is somebody of the reader's own organisation. The service’s owner comes first
 * for somebody who is on both.
 */
export async function findOwner(
  db: Db,
  referralId: string,
  sides: readonly Side[],
  { accountId, organisationId }: CaseworkTeam,
): Promise<ReferralOwner | undefined> {
  const { rows } = await sql<ReferralOwner>`
    select a.id, ${fullNameColumnSql} as name, a.disabled_at is not null as "isDisabled"
    from ${ownersOfSql([referralId], sides)} w join accounts a on a.id = w.account_id
    where not a.is_system and (a.organisation_id = ${organisationId} or a.id = ${accountId})
    order by w.side = 'provider' desc limit 1`.execute(db);
  return rows[0];
}

/** Those who look after referrals on one side, by the referral's id. */
export async function findNamedOwners(
  db: Db,
  referralIds: readonly string[],
  side: Side,
  { accountId, organisationId }: CaseworkTeam,
): Promise<Map<string, { id: string; name: string }>> {
  const { rows } = await sql<{ referralId: string; id: string; name: string }>`
    select w.referral_id as "referralId", a.id, ${fullNameColumnSql} as name
    from ${ownersOfSql(referralIds, [side])} w join accounts a on a.id = w.account_id
    where not a.is_system and (a.organisation_id = ${organisationId} or a.id = ${accountId})`.execute(db);
  return new Map(rows.map(({ referralId, id, name }) => [referralId, { id, name }]));
}

/**
 * The account that was assigned to a referral on one side, also if the person is not of that side any more. Null if none was: on the
 * referrer’s side its maker then looks after it.
 */
export type AssignedOwnerOf = (referralId: string, side: Side) => string | null;

export async function findAssignedOwnerIds(db: Db, referralIds: readonly string[]): Promise<AssignedOwnerOf> {
  const rows = await db
    .selectFrom('referral_owners')
    .select(['referral_id as referralId', 'side', 'account_id as accountId'])
    .where('referral_id', '=', anyOfValuesSql(referralIds))
    .execute();
  const owners = new Map(rows.map(({ referralId, side, accountId }) => [`${referralId} ${side}`, accountId]));
  return (referralId, side) => owners.get(`${referralId} ${side}`) ?? null;
}

/** The people who may look after referrals of these sides for the team, by name. Somebody who was only invited may never come. */
export async function listColleaguesFor(
  db: Db,
  sides: readonly Side[],
  { accountId, organisationId }: CaseworkTeam,
): Promise<{ id: string; name: string }[]> {
  const { rows } = await sql<{ id: string; name: string }>`
    select a.id, a.name from accounts a
    where (a.organisation_id = ${organisationId} or a.id = ${accountId}) and a.roles && ${[...sides]}::text[]
      and ${canSignInSql('a')}
    order by lower(a.name), a.id`.execute(db);
  return rows;
}

/** @param accountId null if nobody looks after it any more */
export async function setOwner(
  trx: Trx,
  referralId: string,
  side: Side,
  accountId: string | null,
): Promise<void> {
  if (accountId === null) {
    await trx
      .deleteFrom('referral_owners')
      .where('referral_id', '=', referralId)
      .where('side', '=', side)
      .execute();
    return;
  }
  await trx
    .insertInto('referral_owners')
    .values({ referral_id: referralId, side, account_id: accountId })
    .onConflict((conflict) =>
      conflict.columns(['referral_id', 'side']).doUpdateSet({ account_id: accountId }),
    )
    .execute();
}

/** A change of who looks after a referral. */
export type Assignment = { id: string; at: Date; byName: string; ownerName: string | null };

export async function insertAssignment(
  trx: Trx,
  referralId: string,
  { accountId, organisationId }: CaseworkTeam,
  { id, at, byName, ownerName }: Assignment,
): Promise<void> {
  await trx
    .insertInto('referral_assignments')
    .values({
      id,
      referral_id: referralId,
      organisation_id: organisationId,
      at,
      by_id: accountId,
      by_name: byName,
      owner_name: ownerName,
    })
    .execute();
}

/** What the team decided, oldest first. */
export async function listAssignments(
  db: Db,
  referralId: string,
  { accountId, organisationId }: CaseworkTeam,
): Promise<Assignment[]> {
  const { rows } = await sql<Assignment>`
    select id, at, by_name as "byName", owner_name as "ownerName" from referral_assignments
    where referral_id = ${referralId}
      and (organisation_id = ${organisationId} or (organisation_id is null and by_id = ${accountId}))
    order by id`.execute(db);
  return rows;
}

/** A private note: only the team reads it. */
export type Note = Omit<Author, 'authorOrganisationId'> & { id: string; at: Date; text: string };

export async function insertNote(
  trx: Trx,
  referralId: string,
  organisationId: string | null,
  { id, at, authorId, authorName, authorOrganisation, text }: Note,
): Promise<void> {
  await trx
    .insertInto('referral_notes')
    .values({
      id,
      referral_id: referralId,
      organisation_id: organisationId,
      at,
      author_id: authorId,
      author_name: authorName,
      author_organisation: authorOrganisation,
      text,
    })
    .execute();
}

/** The team's notes, oldest first. */
export function listNotes(
  db: Db,
  referralId: string,
  { accountId, organisationId }: CaseworkTeam,
): Promise<Note[]> {
  return selectNotes(db, referralId)
    .where(
      sql<boolean>`(organisation_id = ${organisationId} or (organisation_id is null and author_id = ${accountId}))`,
    )
    .execute();
}

/** The notes of every organisation, oldest first, for the person whom they are about. */
export function listNotesOfAll(db: Db, referralId: string): Promise<Note[]> {
  return selectNotes(db, referralId).execute();
}

/** Oldest first. */
function selectNotes(db: Db, referralId: string) {
  return db
    .selectFrom('referral_notes')
    .select([
      'id',
      'at',
      'author_id as authorId',
      'author_name as authorName',
      'author_organisation as authorOrganisation',
      'text',
    ])
    .where('referral_id', '=', referralId)
    .orderBy('id');
}

/** The day on which somebody is reminded of a referral, such as 2026-12-01. */
export async function findReminder(
  db: Db,
  referralId: string,
  accountId: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ day: string }>`
    select remind_on::text as day from referral_reminders
    where referral_id = ${referralId} and account_id = ${accountId}`.execute(db);
  return rows[0]?.day;
}

/** Which of these referrals an account is reminded of by now. */
export async function listReminded(
  db: Db,
  referralIds: readonly string[],
  { accountId, today }: { accountId: string; today: string },
): Promise<ReadonlySet<string>> {
  if (referralIds.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    select referral_id as id from referral_reminders
    where referral_id = any(${[...referralIds]}::uuid[]) and account_id = ${accountId}
      and remind_on <= ${today}::date`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** Sets or moves the reminder of an account. */
export async function upsertReminder(
  trx: Trx,
  referralId: string,
  accountId: string,
  day: string,
): Promise<void> {
  await sql`
    insert into referral_reminders (referral_id, account_id, remind_on) values (${referralId}, ${accountId}, ${day}::date)
    on conflict (referral_id, account_id) do update set remind_on = excluded.remind_on, told_at = null`.execute(
    trx,
  );
}

export async function deleteReminder(trx: Trx, referralId: string, accountId: string): Promise<void> {
  await trx
    .deleteFrom('referral_reminders')
    .where('referral_id', '=', referralId)
    .where('account_id', '=', accountId)
    .execute();
}

/** A reminder whose day has come, for somebody of an organisation that can still see the referral. */
export type DueReminder = {
  accountId: string;
  email: string;
  referralId: string;
  reference: string;
  isUrgent: boolean;
  isDangerous: boolean;
};

/** Marks reminders whose day has come as told, and returns them. Rows that another process is working on are skipped. */
export async function takeDueReminders(
  trx: Trx,
  { today, now, limit }: { today: string; now: Date; limit: number },
): Promise<DueReminder[]> {
  const { rows } = await sql<DueReminder>`
    with due as (
      select m.referral_id, m.account_id from referral_reminders m
        join referrals f on f.id = m.referral_id
        join accounts a on a.id = m.account_id
        left join organisations o on o.id = a.organisation_id
      where m.told_at is null and m.remind_on <= ${today}::date and a.disabled_at is null
        and f.restricted_at is null and f.erased_at is null
        and (o.library_organization_id = f.service_organization_id or o.id = f.referrer_organisation_id
          or f.referrer_organisation_id is null and a.id = f.referrer_account_id)
      order by m.remind_on, m.referral_id limit ${limit}
      for update of m skip locked)
    update referral_reminders m set told_at = ${now}
    from due join referrals f on f.id = due.referral_id join accounts a on a.id = due.account_id
    where m.referral_id = due.referral_id and m.account_id = due.account_id
    returning a.id as "accountId", a.email, f.id as "referralId", f.reference, f.urgency = 'urgent' as "isUrgent",
      ${tellsOfDangerSql(sql`f.id`)} as "isDangerous"`.execute(trx);
  return rows;
}
