import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import { mayKnowServiceCondition } from '../model/access/hide-sensitive-services-store.ts';
import type { Visibility } from '../model/access/sides.ts';
import { isPressing } from '../model/attention/dangers-store.ts';
import { isPromptFor } from '../model/attention/prompts-store.ts';
import { isUnseen, isWatchLate } from '../model/attention/watches-store.ts';
import {
  type Draft,
  openStatuses,
  type Referral,
  type ReferralStatus,
  referralStatuses,
} from '../model/referral.ts';
import { isStillUnhelped, type ReferralRow, referralColumns, referralFromRow } from '../model/store.ts';
import { hasOpenGpAction, staffMustTellPractice } from './gp-actions-store.ts';
import { visibilityConditions } from './list-store.ts';

/** What a worklist shows. */
export type WorkFilter = {
  /** Which referrals the caller may see at all. */
  visibility: Visibility;
  accountId: string;
  /** As whom the caller reads it. */
  side: 'provider' | 'referrer' | 'operators';
  /** Only these statuses; all if it is left out. */
  statuses?: readonly ReferralStatus[] | undefined;
  /** Only what needs the reader, whatever its status. */
  needsActionOnly?: boolean;
  /** Of the referrals that need the reader, only those with this reason. */
  reasonToAct?: ReasonToAct | undefined;
  serviceId?: string | undefined;
  /** Only these, which were found by words. */
  ids?: readonly string[] | undefined;
  /** Only those that the account looks after; of those that nobody looks after, the ones that it made. */
  mineOnly?: boolean | undefined;
  /** Only those that this colleague looks after. */
  ownerId?: string | undefined;
  /** Only those that this organisation made. */
  referrerOrganisationId?: string | undefined;
  /** Only open ones that are urgent or overdue; of those that need the reader, also ended ones. */
  urgentOnly?: boolean | undefined;
  overdueOnly?: boolean | undefined;
  /** Only those with news that nobody of the reader's side has seen, whatever their status. */
  unreadOnly?: boolean | undefined;
  /** Left out, what needs somebody comes first. */
  sort?: WorkSort | undefined;
  now: Date;
  /** The day in London. */
  today: string;
};

/** The columns that have an index for each list. There is no sort by service: its order would tell a colleague which sensitive service it is. */
export type WorkSort = { by: 'due' | 'made'; direction: 'asc' | 'desc' };

const due = sql`referral_due(status, due_at, next_date)`;

/** The order of a worklist: first what needs the reader most. */
const ranks = {
  unopened: -1,
  /** It needs the reader, is open, and is urgent or overdue. */
  neededSoon: 0,
  overdue: 1,
  /** Urgent, and nobody has answered it. */
  urgentToAnswer: 2,
  /** It ended without help, and has no date that would bring it forward: the person waits unseen. */
  unhelped: 3,
  /** It needs the reader for anything else, such as a message. */
  needed: 4,
  urgent: 5,
  /** Unseen news, also about completed referrals. */
  unread: 6,
  draft: 7,
  routine: 8,
  ended: 9,
} as const;

/** Rows of these ranks come from an index that is already in order: by due date, then by id. */
const inIndexOrder = [ranks.overdue, ranks.urgentToAnswer, ranks.urgent, ranks.routine];

/** The rank of what needs the reader. */
function rankOfNeeded({ now, side }: WorkFilter): RawBuilder<unknown> {
  const unhelped = sql`when ${isStillUnhelped} then ${sql.lit(ranks.unhelped)}`;
  return sql`case
    when status = 'draft' then ${sql.lit(ranks.draft)}
    when status = 'completed' then ${sql.lit(ranks.unread)}
    when status in (${sql.join(openStatuses)}) and (urgency = 'urgent' or ${due} < ${now}) then ${sql.lit(ranks.neededSoon)}
    ${side === 'referrer' ? unhelped : sql``}
    else ${sql.lit(ranks.needed)} end`;
}

/**
 * One page of a worklist, sorted as the filter says. Without a sort it begins with urgent or dangerous ones that nobody has
 * opened, or that have unseen news of a crisis. Then come what is overdue, or urgent and not answered, people who were not helped, what else
 * needs the reader, such as a message, and what is due soonest; of what has ended, the newest.
 * @param offset how many rows come before it; at most a few thousand, since all of them are read
 */
export async function listWork(
  db: Db,
  filter: WorkFilter,
  { offset, limit }: { offset: number; limit: number },
): Promise<(Referral | Draft)[]> {
  const queries = queriesForList(filter, offset + limit);
  if (queries.length === 0) return [];
  const { rows } = await sql<ReferralRow>`
    with ranked as materialized (
      select id, min(rank) as rank, min(due) as due from (${sql.join(queries, sql` union all `)}) as each group by id),
    listed as materialized (
      select id, row_number() over (order by ${orderOf(filter)}) as place from ranked
      order by place offset ${offset} limit ${limit})
    select ${referralColumns} from listed join referrals using (id) order by listed.place`.execute(db);
  return rows.map(referralFromRow);
}

/**
 * The order of a whole list. It must agree with the order of each query that it joins: rows that are due on the same day would
 * otherwise stand on two pages, or on none.
 */
function orderOf({ sort }: WorkFilter): RawBuilder<unknown> {
  const newestFirst = sql`case when rank not in (${sql.join(inIndexOrder.map((rank) => sql.lit(rank)))}) then id end desc`;
  if (!sort) return sql`rank, due nulls last, ${newestFirst}, id`;
  if (sort.by === 'made') return sql`id ${sql.raw(sort.direction)}`;
  return sort.direction === 'asc'
    ? sql`due nulls last, rank = ${sql.lit(ranks.ended)}, ${newestFirst}, id`
    : sql`due desc nulls last, id desc`;
}

/** How many rows a worklist has; `max` if it has more. */
export async function countWork(db: Db, filter: WorkFilter, max: number): Promise<number> {
  const ids = idsOf(filter, max);
  if (!ids) return 0;
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (${ids}) as counted`.execute(db);
  return rows[0]!.count;
}

/**
 * How many rows of a worklist somebody else has added or changed since a moment: by a change of status, or by news that nobody has seen.
 * If the list is longer, it looks at `max` rows.
 */
export async function countChangedWork(
  db: Db,
  filter: WorkFilter,
  { since, max }: { since: Date; max: number },
): Promise<number> {
  const ids = idsOf(filter, max);
  if (!ids) return 0;
  const { accountId, side } = filter;
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (${ids}) as listed
    where exists (
        select from referral_history h
        where h.referral_id = listed.id and h.at > ${since} and h.actor_id is distinct from ${accountId})
      or exists (
        select from unseen_news u
        where u.referral_id = listed.id and u.at > ${since} and u.side = ${side} and u.author_id <> ${accountId})`.execute(
    db,
  );
  return rows[0]!.count;
}

/** The query for the ids of a worklist, up to `max`; undefined if the reader sees none. */
function idsOf(filter: WorkFilter, max: number): RawBuilder<unknown> | undefined {
  const queries =
    isFilteredByNeed(filter) || filter.statuses?.length === 0
      ? queriesForList(filter, max)
      : newestQueries(filter, filter.statuses, max);
  if (queries.length === 0) return undefined;
  return sql`select distinct id from (${sql.join(queries, sql` union all `)}) as each limit ${max}`;
}

/**
 * Why a referral needs somebody: a draft to send, an end without help, an urgent or dangerous one that nobody has opened, a prompt, something for the
 * practice, news, a date that has passed, or a reminder.
 */
export type ReasonToAct =
  | 'draft'
  | 'unhelped'
  | 'unopened'
  | 'prompt'
  | 'gp-action'
  | 'message'
  | 'overdue'
  | 'reminder';

/** How many referrals need the reader, by reason. A referral with several reasons counts for each. */
export async function countReasons(db: Db, filter: WorkFilter): Promise<Map<ReasonToAct, number>> {
  const queries = queriesByReason(filter).map(
    ({ reason, query }) => sql`select ${sql.lit(reason)} as reason, id from ${query} as each`,
  );
  if (queries.length === 0) return new Map();
  const { rows } = await sql<{ reason: ReasonToAct; count: number }>`
    select reason, count(distinct id)::int as count from (${sql.join(queries, sql` union all `)}) as needing_action
    group by reason`.execute(db);
  return new Map(rows.map(({ reason, count }) => [reason, count]));
}

/** Whether the list has only urgent, overdue or unread referrals, or only those that need the reader. */
function isFilteredByNeed({ needsActionOnly, urgentOnly, overdueOnly, unreadOnly }: WorkFilter): boolean {
  return Boolean(needsActionOnly || urgentOnly || overdueOnly || unreadOnly);
}

/**
 * Queries for the first rows: their `id`, their `rank` and when they are `due`. What needs somebody is found from the prompts
 * and the unseen news, which are few; and each rank of each status by an index that has its order. So the first page of
 * 100,000 rows costs what one of 50 does.
 */
function queriesForList(filter: WorkFilter, limit: number): RawBuilder<unknown>[] {
  // A status that the tab does not have.
  if (filter.statuses?.length === 0) return [];
  if (filter.needsActionOnly && filter.reasonToAct) return queriesForReason(filter, filter.reasonToAct);
  if (filter.needsActionOnly)
    return [
      ...crisisNewsQueries(filter),
      ...queriesForAnyReason(filter),
      ...unansweredQueries(filter, limit),
    ];
  if (filter.sort?.by === 'made' && isFilteredByNeed(filter) && !filter.unreadOnly)
    return openByIdQueries(filter, limit);
  if (filter.unreadOnly) return unreadQueries(filter);
  if (isFilteredByNeed(filter)) return [...unopenedQueries(filter), ...openQueries(filter, limit)];
  const { statuses, sort } = filter;
  if (sort?.by === 'made') return newestQueries(filter, statuses, limit);
  const notOpen = (statuses ?? referralStatuses).filter((each) => !openStatuses.includes(each));
  if (sort) return [...openQueries(filter, limit), ...newestQueries(filter, notOpen, limit)];
  return [
    ...crisisNewsQueries(filter),
    ...(statuses ? [] : queriesForAnyReason(filter)),
    // For the referrer, the rows above have the unopened referrals already.
    ...(statuses || filter.side !== 'referrer' ? unopenedQueries(filter) : []),
    ...openQueries(filter, limit),
    ...unreadQueries(filter),
    ...newestQueries(filter, notOpen, limit),
  ];
}

/** Referrals that the service has not answered. There may be thousands, so they come in the order of their index. */
function unansweredQueries(filter: WorkFilter, limit: number): RawBuilder<unknown>[] {
  if (filter.side !== 'provider') return [];
  if (filter.statuses && !filter.statuses.includes('requested')) return [];
  const unanswered: WorkFilter = { ...filter, statuses: ['requested'] };
  if (filter.sort?.by === 'made') return openByIdQueries(unanswered, limit);
  return [...unopenedQueries(unanswered), ...openQueries(unanswered, limit)];
}

/** The most rows that a query reads of those that need somebody, or have news. They are seldom more than a few hundred. */
const maxSpecialRows = 1000;

type ReasonQuery = { reason: ReasonToAct; query: RawBuilder<unknown> };

/** The referrals that need the reader, a query for each reason. */
function queriesByReason(filter: WorkFilter): ReasonQuery[] {
  const listed = idsInOtherTablesByReason(filter).flatMap(({ reason, ids }) =>
    queriesOfNeeded(filter, [sql`id in (${ids})`]).map((query) => ({ reason, query })),
  );
  return [...listed, ...queriesOnReferralsByReason(filter)];
}

function queriesForReason(filter: WorkFilter, reason: ReasonToAct): RawBuilder<unknown>[] {
  return queriesByReason(filter)
    .filter((each) => each.reason === reason)
    .map(({ query }) => query);
}

/** The same as `queriesByReason`, without the reasons: fewer queries, because PostgreSQL takes longest to plan them. */
function queriesForAnyReason(filter: WorkFilter): RawBuilder<unknown>[] {
  const ids = sql.join(
    idsInOtherTablesByReason(filter).map((each) => each.ids),
    sql` union all `,
  );
  return [
    ...queriesOfNeeded(filter, [sql`id in (${ids})`]),
    ...queriesOnReferralsByReason(filter).map(({ query }) => query),
  ];
}

/** The ids that the tables beside the referrals give (prompts, news, reminders), and the few reported deaths. */
function idsInOtherTablesByReason({
  side,
  accountId,
  today,
}: WorkFilter): { reason: ReasonToAct; ids: RawBuilder<unknown> }[] {
  const prompted = sql`
    select p.referral_id from referral_prompts p where p.dismissed_at is null and ${isPromptFor(side)}`;
  if (side === 'operators') return [{ reason: 'prompt', ids: prompted }];
  return [
    { reason: 'prompt', ids: prompted },
    // Either side can say whether the person has died.
    { reason: 'prompt', ids: sql`select d.id from referrals d where d.death_reported_at is not null` },
    { reason: 'message', ids: idsOfUnread(side) },
    // Somebody who has read a question still has to answer it.
    { reason: 'message', ids: sql`select q.referral_id from open_questions q where q.side = ${side}` },
    {
      reason: 'reminder',
      ids: sql`
        select m.referral_id from referral_reminders m where m.account_id = ${accountId} and m.remind_on <= ${today}::date`,
    },
  ];
}

/** What is found by columns of the referrals themselves, such as the status, a due date or what the practice is asked. */
function queriesOnReferralsByReason(filter: WorkFilter): ReasonQuery[] {
  const { side, today, now } = filter;
  if (side === 'operators') return [];
  const needs = (reason: ReasonToAct, ...given: Parameters<typeof queriesOfNeeded>): ReasonQuery[] =>
    queriesOfNeeded(...given).map((query) => ({ reason, query }));
  const forPractice = needs('gp-action', filter, [hasOpenGpAction, staffMustTellPractice(today)]);
  if (side === 'provider') {
    const answered = openStatuses.filter((each) => each !== 'requested');
    // In the order of their index: otherwise PostgreSQL reads all referrals by id to find a few that are overdue.
    const overdue = answered.flatMap((status) =>
      bothUrgencies.flatMap((urgency) =>
        needs(
          'overdue',
          filter,
          [sql`status = ${status} and urgency = ${urgency} and ${due} < ${now}`],
          sql`${due}, id`,
        ),
      ),
    );
    return [...forPractice, ...overdue];
  }
  const unopened = unopenedQueries(filter).map((query) => ({ reason: 'unopened' as const, query }));
  return [
    ...unopened,
    ...forPractice,
    // In words: `whoseTurn` in model/presentation/words.ts.
    ...needs('draft', filter, [sql`status = 'draft'`]),
    ...needs('unhelped', filter, [isStillUnhelped]),
  ];
}

/** Queries for rows that need the reader and meet the conditions, with the rank of such rows. */
function queriesOfNeeded(
  filter: WorkFilter,
  conditions: readonly RawBuilder<unknown>[],
  order: RawBuilder<unknown> = sql`id desc`,
): RawBuilder<unknown>[] {
  const isUsable = sql`restricted_at is null and erased_at is null`;
  const rank = rankOfNeeded(filter);
  return queriesOfRank(filter, {
    rank,
    conditions: [isUsable, ...urgencyConditions(filter), ...conditions],
    order,
    limit: maxSpecialRows,
  });
}

/** The conditions of the filters “urgent” and “overdue”. Every query has them, except where a crisis has to be seen in any case. */
function urgencyConditions({ urgentOnly, overdueOnly, now }: WorkFilter): RawBuilder<unknown>[] {
  return [...(urgentOnly ? [sql`urgency = 'urgent'`] : []), ...(overdueOnly ? [sql`${due} < ${now}`] : [])];
}

/** The first rows that the reader may see and that meet the conditions and the filter: a query for each way to see a referral. */
function queriesOfRank(
  filter: WorkFilter,
  {
    rank,
    conditions,
    order = sql`id desc`,
    dueColumn = due,
    limit,
  }: {
    rank: RawBuilder<unknown>;
    conditions: readonly RawBuilder<unknown>[];
    order?: RawBuilder<unknown>;
    dueColumn?: RawBuilder<unknown>;
    limit: number;
  },
): RawBuilder<unknown>[] {
  return visibilityConditions(filter.visibility).map(
    (isVisible) => sql`(select id, ${rank} as rank, ${dueColumn} as due from referrals
      where ${sql.join([isVisible, ...conditions, ...filterConditions(filter)], sql` and `)} order by ${order} limit ${limit})`,
  );
}

/**
 * Referrals that are urgent, or with a risk of harm, and that nobody of the service has opened. For the service, those with a risk or a
 * message that mentions a crisis come first at once; the others once somebody was told that nobody has opened them. They are few.
 */
function unopenedQueries(filter: WorkFilter): RawBuilder<unknown>[] {
  const { side, now } = filter;
  const wanted = openStatusesOf(filter);
  if (wanted.length === 0) return [];
  const isLate = sql`${isUnseen(sql`seen_at`)} and ${isWatchLate(now)} and ${isPressing(sql`urgency`, sql`u.risk`)}`;
  const isFirst = side === 'provider' ? sql`(${isLate} or u.side = 'provider' and u.risk)` : isLate;
  const isWatched = sql`id in (select u.referral_id from unseen_news u where ${isFirst})`;
  const isOpen = sql`status in (${sql.join(wanted)}) and restricted_at is null`;
  return queriesOfRank(filter, {
    rank: sql.lit(ranks.unopened),
    conditions: [isOpen, ...urgencyConditions(filter), isWatched],
    limit: maxSpecialRows,
  });
}

function openStatusesOf({ statuses }: WorkFilter): ReferralStatus[] {
  return openStatuses.filter((each) => !statuses || statuses.includes(each));
}

const bothUrgencies = ['urgent', 'routine'] as const;

/**
 * Open referrals, each status and urgency by an index that has the order of the list. Overdue or not is one query, because planning two
 * costs PostgreSQL more than reading the rows.
 */
function openQueries(filter: WorkFilter, limit: number): RawBuilder<unknown>[] {
  const { urgentOnly, overdueOnly, now, sort } = filter;
  const urgencies = urgentOnly ? (['urgent'] as const) : bothUrgencies;
  const latestFirst = sort?.by === 'due' && sort.direction === 'desc';
  // Read backwards, the index starts with rows without a date, but the list wants them last.
  const parts = latestFirst
    ? [
        { conditions: [sql`${due} is not null`], order: sql`${due} desc, id desc` },
        ...(overdueOnly ? [] : [{ conditions: [sql`${due} is null`], order: sql`${due} desc, id desc` }]),
      ]
    : [{ conditions: [], order: sql`${due}, id` }];
  const combinations = openStatusesOf(filter).flatMap((status) =>
    urgencies.flatMap((urgency) => parts.map((part) => ({ status, urgency, ...part }))),
  );
  return combinations.flatMap(({ status, urgency, conditions, order }) => {
    const ifUrgent = status === 'requested' ? ranks.urgentToAnswer : ranks.urgent;
    const ifNotOverdue = urgency === 'urgent' ? ifUrgent : ranks.routine;
    const rank = sql`case when ${due} < ${now} then ${sql.lit(ranks.overdue)} else ${sql.lit(ifNotOverdue)} end`;
    const isOfIndex = sql`status = ${status} and urgency = ${urgency}`;
    return queriesOfRank(filter, {
      rank,
      conditions: [isOfIndex, ...urgencyConditions(filter), ...conditions],
      order,
      limit,
    });
  });
}

/** News with words of a crisis that nobody of the reader's side has seen comes first, whatever has become of the referral. */
function crisisNewsQueries(filter: WorkFilter): RawBuilder<unknown>[] {
  const { side, statuses } = filter;
  if (side === 'operators') return [];
  const conditions = [
    ...(statuses ? [sql`status in (${sql.join(statuses)})`] : []),
    sql`restricted_at is null`,
    sql`id in (
      select u.referral_id from unseen_news u
      where u.side = ${side} and u.risk and u.kind in ('message', 'change', 'file', 'words'))`,
  ];
  return queriesOfRank(filter, { rank: sql.lit(ranks.unopened), conditions, limit: maxSpecialRows });
}

/** News that nobody of the reader's side has seen, also about ended referrals. */
function unreadQueries(filter: WorkFilter): RawBuilder<unknown>[] {
  const { side, urgentOnly, overdueOnly } = filter;
  if (side === 'operators') return [];
  const isOpenOnly = urgentOnly || overdueOnly;
  const statuses = isOpenOnly
    ? openStatuses.filter((each) => filter.statuses?.includes(each) ?? true)
    : filter.statuses;
  if (statuses?.length === 0) return [];
  const conditions = [
    ...(statuses ? [sql`status in (${sql.join(statuses)})`] : []),
    ...urgencyConditions(filter),
    sql`id in (${idsOfUnread(side)})`,
  ];
  return queriesOfRank(filter, { rank: sql.lit(ranks.unread), conditions, limit: maxSpecialRows });
}

function idsOfUnread(side: 'provider' | 'referrer'): RawBuilder<unknown> {
  return sql`
    select u.referral_id from unseen_news u
    where u.side = ${side} and u.kind in ('message', 'change', 'correction', 'file', 'words')`;
}

function newestQueries(
  filter: WorkFilter,
  statuses: readonly ReferralStatus[] | undefined,
  limit: number,
): RawBuilder<unknown>[] {
  const ofEachStatus = statuses?.map((status) => [sql`status = ${status}`]) ?? [[]];
  return ofEachStatus.flatMap((conditions) =>
    queriesOfRank(filter, {
      rank: sql.lit(ranks.ended),
      conditions,
      order: sql`id ${idDirection(filter)}`,
      dueColumn: sql`null::timestamptz`,
      limit,
    }),
  );
}

/** Open referrals that are urgent or overdue, in the order in which they were made. */
function openByIdQueries(filter: WorkFilter, limit: number): RawBuilder<unknown>[] {
  return openStatusesOf(filter).flatMap((status) =>
    queriesOfRank(filter, {
      rank: sql.lit(ranks.overdue),
      conditions: [sql`status = ${status}`, ...urgencyConditions(filter)],
      order: sql`id ${idDirection(filter)}`,
      limit,
    }),
  );
}

function idDirection({ sort }: WorkFilter): RawBuilder<unknown> {
  return sql.raw(sort?.by === 'made' ? sort.direction : 'desc');
}

function filterConditions({
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
}: WorkFilter): RawBuilder<unknown>[] {
  const conditions = [
    // What needs the reader is found in other ways than by its status.
    needsActionOnly === true && statuses !== undefined && sql`status in (${sql.join(statuses)})`,
    unreadOnly === true && side !== 'operators' && sql`id in (${idsOfUnread(side)})`,
    ids !== undefined && sql`id = any(${ids}::uuid[])`,
    serviceId !== undefined && sql`service_id = ${serviceId}`,
    serviceId !== undefined &&
      mayKnowServiceCondition(serviceId, { accountId, receivedBy: visibility.receivedBy }),
    mineOnly === true && isOwn(accountId, side),
    ownerId !== undefined && isOwn(ownerId, side),
    referrerOrganisationId !== undefined && sql`referrer_organisation_id = ${referrerOrganisationId}`,
  ];
  return conditions.filter((each) => each !== false);
}

function isOwn(accountId: string, side: WorkFilter['side']): RawBuilder<unknown> {
  const isAssigned = sql`id in (
    select w.referral_id from referral_owners w where w.account_id = ${accountId} and w.side = ${side})`;
  if (side !== 'referrer') return isAssigned;
  const isUnassigned = sql`not exists (
    select from referral_owners w where w.referral_id = referrals.id and w.side = 'referrer')`;
  return sql`(${isAssigned} or referrer_account_id = ${accountId} and ${isUnassigned})`;
}
