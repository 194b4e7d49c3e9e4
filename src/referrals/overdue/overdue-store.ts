import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db, Trx } from '../../platform/database/index.ts';
import { tellsOfDangerSql } from '../model/attention/dangers-store.ts';

/** How many referrals one call marks, so that its transaction takes less than a second. The next call marks the others. */
export const maxMarked = 500;

/** An organisation, null for the services without one, and how many of its referrals are due. */
export type DueOrganization<Id = string | null> = { id: Id; count: number };

async function countByOrganization<Id = string | null>(
  db: Db,
  isDue: RawBuilder<SqlBool>,
): Promise<DueOrganization<Id>[]> {
  const { rows } = await sql<DueOrganization<Id>>`
    select service_organization_id as id, count(*)::int as count from referrals where ${isDue} group by 1`.execute(
    db,
  );
  return rows;
}

/** Whether nobody at the service has seen something that tells of a risk: the referral, a message, a file or what has changed. */
const hasUnseenRiskSql = sql<boolean>`exists (
  select from watches u where u.referral_id = referrals.id and u.side = 'provider' and u.risk)`;

/**
 * Whether the site must not decline a referral by itself: it is urgent or tells of a risk, and nobody at the service has opened it; or there
 * is something else about a risk that nobody there has seen, such as a message, a file’s name or a change.
 */
const mustStayOpenSql = sql<boolean>`(
  ((urgency = 'urgent' or coalesce(content ->> 'risk', '') = 'yes')
    and (seen_at is null or exists (
      select from watches u
      where u.referral_id = referrals.id and u.kind = 'referral' and u.side = 'provider')))
  or ${hasUnseenRiskSql})`;

/** Whether the site may decline a referral by itself, if nobody answers. */
export async function mayBeRejected(db: Db, id: string): Promise<boolean> {
  const { rows } = await sql`select from referrals where id = ${id} and not ${mustStayOpenSql}`.execute(db);
  return rows.length > 0;
}

/** The organisations with unanswered referrals that stay open, and about which people are to be told, for the first time or again. */
export function listOrganizationsWithKeptOpen(
  db: Db,
  { sentBefore, today }: { sentBefore: Date; today: string },
): Promise<DueOrganization[]> {
  return countByOrganization(db, isKeptOpenSql(sentBefore, today));
}

/**
 * Unanswered referrals that the site keeps open, and that people are to be told about today. Until the service answers, `next_reminder_on`
 * is the day on which they are told again. After that it is the day of the next reminder about the next date.
 */
const isKeptOpenSql = (sentBefore: Date, today: string) => sql<SqlBool>`
  status = 'requested' and restricted_at is null and death_reported_at is null and requested_at <= ${sentBefore}
  and coalesce(next_reminder_on, ${today}::date) <= ${today}::date and ${mustStayOpenSql}`;

/**
 * Marks unanswered referrals that stay open as told, for these organisations. One that became urgent after the service was warned has a
 * `rejection_at`. This clears it, so that the service is warned again once somebody has opened it. @returns the marked referrals
 */
export async function markKeptOpen(
  trx: Trx,
  organizations: readonly (string | null)[],
  { sentBefore, today, again }: { sentBefore: Date; today: string; again: string },
): Promise<OverdueReferral[]> {
  const { rows } = await sql<OverdueReferral>`
    with kept as materialized (
      select id from referrals
      where ${isKeptOpenSql(sentBefore, today)} and ${isToOneOfSql(organizations)}
      ${lockInOrderSql})
    update referrals set next_reminder_on = ${again}::date, rejection_at = null
    where id in (select id from kept)
    returning ${overdueColumnsSql}`.execute(trx);
  return rows;
}

/** Unanswered referrals whose warning has passed, oldest first: the site rejects them. */
export async function listToReject(
  db: Db,
  { sentBefore, now }: { sentBefore: Date; now: Date },
  { without, limit }: { without: readonly string[]; limit: number },
): Promise<string[]> {
  const referrals = await db
    .selectFrom('referrals')
    .select('id')
    .where('status', '=', 'requested')
    .where('restricted_at', 'is', null)
    .where('death_reported_at', 'is', null)
    .where('rejection_at', '<=', now)
    .where('requested_at', '<=', sentBefore)
    .where((each) => each.not(mustStayOpenSql))
    .$if(without.length > 0, (query) => query.where('id', 'not in', without))
    .orderBy('rejection_at')
    .limit(limit)
    .execute();
  return referrals.map(({ id }) => id);
}

/** The organisations with unanswered referrals that were sent before a time and have no date of rejection yet. */
export function listUnwarnedOrganizations(db: Db, sentBefore: Date): Promise<DueOrganization[]> {
  return countByOrganization(db, isUnwarnedSql({ sentBefore }));
}

const isUnwarnedSql = (unanswered: UnansweredReferrals) => sql<SqlBool>`
  status = 'requested' and restricted_at is null and death_reported_at is null and rejection_at is null
  and not ${mustStayOpenSql} and ${isAmongSql(unanswered)}`;

/** Locks are always taken in the order of ids, so that two transactions cannot deadlock. */
const lockInOrderSql = sql`order by id limit ${maxMarked} for no key update`;

/** When the site is to reject a referral: `afterDays` after it was sent, and not before `earliest` or before its answer is due. */
export type RejectionTime = { afterDays: number; earliest: Date };

/** Sets when unanswered referrals to these organisations are rejected. @returns those that had no such time before */
export async function scheduleRejections(
  trx: Trx,
  organizations: readonly (string | null)[],
  unanswered: UnansweredReferrals,
  { afterDays, earliest }: RejectionTime,
): Promise<(OverdueReferral & { rejectionAt: Date })[]> {
  const { rows } = await sql<OverdueReferral & { rejectionAt: Date }>`
    with unwarned as materialized (
      select id from referrals
      where ${isUnwarnedSql(unanswered)} and ${isToOneOfSql(organizations)}
      ${lockInOrderSql})
    update referrals
    set rejection_at = greatest(
      requested_at + make_interval(hours => ${afterDays * 24}::int), ${earliest}::timestamptz, due_at)
    where id in (select id from unwarned)
    returning ${overdueColumnsSql}, rejection_at as "rejectionAt"`.execute(trx);
  return rows;
}

/** Moves rejections that would be on a weekend or bank holiday. */
export async function rescheduleRejections(
  trx: Trx,
  rejections: readonly { id: string; at: Date }[],
): Promise<void> {
  if (rejections.length === 0) return;
  await sql`
    update referrals r set rejection_at = moved.at
    from json_to_recordset(${JSON.stringify(rejections)}::json) as moved(id uuid, at timestamptz)
    where r.id = moved.id`.execute(trx);
}

/** The organisations to be reminded, for the first time or again, of open referrals whose next date has passed. */
export function listOrganizationsPastNextDate(db: Db, today: string): Promise<DueOrganization[]> {
  return countByOrganization(db, isToRemindSql(today));
}

/** The expression of the index `referrals_next_reminder`, word for word. */
const isToRemindSql = (today: string): RawBuilder<SqlBool> => sql`
  next_date is not null and coalesce(next_reminder_on, next_date + 1) <= ${today}::date and restricted_at is null`;

/**
 * Marks referrals whose next date has passed as reminded, for these organisations. @returns those that were not marked before
 */
export async function markNextDateReminded(
  trx: Trx,
  organizations: readonly (string | null)[],
  { today, again }: { today: string; again: string },
): Promise<Required<OverdueReferral>[]> {
  const { rows } = await sql<Required<OverdueReferral>>`
    with past as materialized (
      select id from referrals
      where ${isToRemindSql(today)} and ${isToOneOfSql(organizations)}
      ${lockInOrderSql})
    update referrals set next_date_reminders = next_date_reminders + 1, next_reminder_on = ${again}::date
    where id in (select id from past)
    returning ${overdueColumnsSql}, next_date_reminders as reminders`.execute(trx);
  return rows;
}

export type OverdueReferral = {
  id: string;
  reference: string;
  organizationId: string | null;
  isUrgent: boolean;
  isDangerous: boolean;
  referrerOrganisationId: string | null;
  referrerAccountId: string;
  /** How often the service was reminded, including this time; undefined where it is reminded once. */
  reminders?: number;
};

const isDangerousNowSql = sql`(${tellsOfDangerSql(sql`referrals.id`)} or ${hasUnseenRiskSql})`;

const overdueColumnsSql = sql`
  id, reference, service_organization_id as "organizationId", urgency = 'urgent' as "isUrgent", ${isDangerousNowSql} as "isDangerous",
  referrer_organisation_id as "referrerOrganisationId", referrer_account_id as "referrerAccountId"`;

/** Null stands for the services without an organisation. */
function isToOneOfSql(organizations: readonly (string | null)[]): RawBuilder<SqlBool> {
  const ids = organizations.filter((each) => each !== null);
  const isOfThese = sql<SqlBool>`service_organization_id = any(${ids}::text[])`;
  return ids.length === organizations.length
    ? isOfThese
    : sql`(${isOfThese} or service_organization_id is null)`;
}

/** The library's organisations that have such unanswered referrals, and were not reminded of them yet. */
export function listUnremindedOrganizations(
  db: Db,
  unanswered: UnansweredReferrals,
): Promise<DueOrganization<string>[]> {
  return countByOrganization<string>(
    db,
    sql`${isUnremindedSql(unanswered)} and service_organization_id is not null`,
  );
}

const isUnremindedSql = (unanswered: UnansweredReferrals) => sql<SqlBool>`
  status = 'requested' and restricted_at is null and reminded_at is null and ${isAmongSql(unanswered)}`;

/** All unanswered referrals that were sent or due before a time, or only one. */
export type UnansweredReferrals = { sentBefore: Date } | { dueBefore: Date } | { only: string };

function isAmongSql(unanswered: UnansweredReferrals): RawBuilder<SqlBool> {
  if ('only' in unanswered) return sql`id = ${unanswered.only}`;
  if ('dueBefore' in unanswered) return sql`due_at < ${unanswered.dueBefore}`;
  return sql`requested_at <= ${unanswered.sentBefore}`;
}

/** Marks unanswered referrals to these organisations as reminded. @returns those that were not marked before. */
export async function markReminded(
  trx: Trx,
  organizations: readonly string[],
  unanswered: UnansweredReferrals,
  at: Date,
): Promise<OverdueReferral[]> {
  const { rows } = await sql<OverdueReferral>`
    with unreminded as materialized (
      select id from referrals
      where ${isUnremindedSql(unanswered)} and ${isToOneOfSql(organizations)}
      ${lockInOrderSql})
    update referrals set reminded_at = ${at}
    where id in (select id from unreminded)
    returning ${overdueColumnsSql}`.execute(trx);
  return rows;
}
