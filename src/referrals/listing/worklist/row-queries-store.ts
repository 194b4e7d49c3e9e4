import { type RawBuilder, sql } from 'kysely';
import { mayKnowServiceSql } from '../../model/access/hide-sensitive-services-store.ts';
import { kindsSql, newsKinds } from '../../model/attention/watches-store.ts';
import type { ReferralStatus } from '../../model/referral.ts';
import { visibilityConditionsSql } from '../list-store.ts';
import type { WorklistFilter } from './work-filter.ts';

/*
 * What every query of a worklist has: what the reader may see, the filters, a rank, and a limit.
 */

export const dueSql = sql`referral_due(status, due_at, next_date)`;

/** What each row of a worklist is there for; without a sort, lower ranks come first. A referral that several queries find has the lowest. */
export const ranks = {
  /** Pressing and not opened, or with unseen news of a crisis. */
  unseenPressing: 0,
  /** It needs the reader, is open, and is urgent or overdue. */
  needsActionNow: 1,
  overdue: 2,
  /** Urgent, and nobody has answered it. */
  urgentUnanswered: 3,
  urgent: 4,
  /** It ended without help, and has no date that would bring it forward: the person waits unseen. */
  unhelped: 5,
  /** It is open, and needs the reader for anything else, such as a message. */
  needsAction: 6,
  /** Neither urgent nor overdue, and the reader’s service has not answered it. */
  toAnswer: 7,
  /** News that nobody has seen of a referral that has ended, or another reason to look at it. */
  unseenNews: 8,
  /** A draft, for the person who has to send it. */
  draft: 9,
  routine: 10,
  /** All others, the newest first. */
  newest: 11,
} as const;

/** Rows of these ranks come from an index that is already in order: by due date, then by id. */
export const ranksInIndexOrder = [
  ranks.overdue,
  ranks.urgentUnanswered,
  ranks.urgent,
  ranks.toAnswer,
  ranks.routine,
];

/**
 * The limit of a query for rows that are seldom more than a few hundred: those that need somebody, or have news. It is above the 2,500 rows that
 * a list has on all of its pages, so that each of these is on some page, and above what is counted exactly.
 */
export const maxAttentionRows = 3000;

/** Queries for the first rows that the reader may see and that meet the conditions and the filter: one for each way to see a referral. */
export function rowQueries(
  filter: WorklistFilter,
  {
    rank,
    dueColumn = dueSql,
    ...which
  }: RowsWanted & { rank: RawBuilder<unknown>; dueColumn?: RawBuilder<unknown> },
): RawBuilder<unknown>[] {
  return queriesFor(filter, sql`id, ${rank} as rank, ${dueColumn} as due`, which);
}

/** As `rowQueries`, with the ids alone. */
export function idQueries(filter: WorklistFilter, which: RowsWanted): RawBuilder<unknown>[] {
  return queriesFor(filter, sql`id`, which);
}

type RowsWanted = {
  conditions: readonly RawBuilder<unknown>[];
  /** Where it does not matter which of too many rows come, PostgreSQL plans sooner without one. */
  order?: RawBuilder<unknown> | 'none' | undefined;
  limit: number;
};

function queriesFor(
  filter: WorklistFilter,
  columns: RawBuilder<unknown>,
  { conditions, order = sql`id desc`, limit }: RowsWanted,
): RawBuilder<unknown>[] {
  return visibilityConditionsSql(filter.visibility).map(
    (isVisible) => sql`(select ${columns} from referrals
      where ${sql.join([isVisible, ...conditions, ...filterConditionsSql(filter)], sql` and `)}
      ${order === 'none' ? sql`` : sql`order by ${order}`} limit ${limit})`,
  );
}

function filterConditionsSql({
  ids,
  serviceId,
  accountId,
  mineOnly,
  ownerId,
  referrerOrganisationId,
  needsActionOnly,
  statuses,
  unreadOnly,
  side,
  visibility,
}: WorklistFilter): RawBuilder<unknown>[] {
  const conditions = [
    // In “needs action” the queries name no status themselves, so the tab’s filter by status is added here.
    needsActionOnly === true && statuses !== undefined && isInStatusSql(statuses),
    unreadOnly === true && side !== 'operators' && isOneOfSql(idsWithUnseenNewsSql(side)),
    ids !== undefined && sql`id = any(${ids}::uuid[])`,
    serviceId !== undefined && sql`service_id = ${serviceId}`,
    serviceId !== undefined && mayKnowServiceSql({ accountId, receivedBy: visibility.receivedBy }),
    mineOnly === true && isOwnSql(accountId, side),
    ownerId !== undefined && isOwnSql(ownerId, side),
    referrerOrganisationId !== undefined && sql`referrer_organisation_id = ${referrerOrganisationId}`,
  ];
  return conditions.filter((each) => each !== false);
}

/** Of the referrals that nobody looks after, an account’s own are those that it made. */
function isOwnSql(accountId: string, side: WorklistFilter['side']): RawBuilder<unknown> {
  const assignedIds = sql`
    select w.referral_id from referral_owners w where w.account_id = ${accountId} and w.side = ${side}`;
  if (side !== 'referrer') return isOneOfSql(assignedIds);
  // With `or`, no index finds the account’s own. So `in`: PostgreSQL reads what is assigned once, and looks each row up in memory.
  return sql`(id in (${assignedIds}) or referrer_account_id = ${accountId} and not exists (
    select from referral_owners w where w.referral_id = referrals.id and w.side = 'referrer'))`;
}

/**
 * Whether a referral is one of a few whose ids another query gives. That query runs first, once, and each of its rows is found by its id.
 * With `in`, PostgreSQL may instead read all referrals of the reader, or of the site, to find these few among them.
 */
export function isOneOfSql(ids: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`id = any(array(${ids}))`;
}

/** The status is written into the statement: PostgreSQL uses a partial index only where it knows the status when it plans. */
export function isInStatusSql(statuses: readonly ReferralStatus[]): RawBuilder<unknown> {
  return sql`status in (${sql.join(statuses.map((each) => sql.lit(each)))})`;
}

/** The ids of referrals with news that nobody of this side has seen. */
export function idsWithUnseenNewsSql(side: 'provider' | 'referrer'): RawBuilder<unknown> {
  return sql`
    select u.referral_id from watches u
    where u.side = ${side} and u.kind in ${kindsSql(newsKinds)}`;
}

/** The conditions of the filters “urgent” and “overdue”. Every query of open referrals has them, except where a crisis has to be seen in any case. */
export function urgencyConditionsSql({
  urgentOnly,
  overdueOnly,
  now,
}: WorklistFilter): RawBuilder<unknown>[] {
  return [
    ...(urgentOnly ? [sql`urgency = 'urgent'`] : []),
    ...(overdueOnly ? [sql`${dueSql} < ${now}`] : []),
  ];
}
