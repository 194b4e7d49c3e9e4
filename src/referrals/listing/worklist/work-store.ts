import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/database/index.ts';
import { type Draft, openStatuses, type Referral, referralStatuses } from '../../model/referral.ts';
import { type ReferralRow, referralColumnsSql, referralFromRow } from '../../model/referrals-store.ts';
import { idsByReason, idsForAnyReason, rowsForAnyReason, rowsForReason } from './reasons-to-act-store.ts';
import { ranks, ranksInIndexOrder } from './row-queries-store.ts';
import {
  crisisNewsQueries,
  newestQueries,
  openByAgeQueries,
  openIdQueries,
  openQueries,
  unseenNewsQueries,
  unseenPressingQueries,
} from './rows-by-rank-store.ts';
import type { ReasonToAct, WorklistFilter } from './work-filter.ts';

/**
 * One page of a worklist, sorted as the filter says. Without a sort it begins with urgent or dangerous ones that nobody has
 * opened, or that have unseen news of a crisis. Then come what is overdue or urgent, people who were not helped, and what else needs the
 * reader: open ones with a message, those to answer, ended ones with news. Last is what is due soonest and, of what has ended, the newest.
 * @param offset how many rows come before it; at most a few thousand, since all of them are read
 */
export async function listWorklistRows(
  db: Db,
  filter: WorklistFilter,
  { offset, limit }: { offset: number; limit: number },
): Promise<(Referral | Draft)[]> {
  const queries = listQueries(filter, offset + limit);
  if (queries.length === 0) return [];
  const { rows } = await sql<ReferralRow>`
    with ranked as materialized (
      select id, min(rank) as rank, min(due) as due from (${sql.join(queries, sql` union all `)}) as each group by id),
    listed as materialized (
      select id, row_number() over (order by ${orderOfSql(filter)}) as place from ranked
      order by place offset ${offset} limit ${limit})
    select ${referralColumnsSql} from listed join referrals using (id) order by listed.place`.execute(db);
  return rows.map(referralFromRow);
}

/** How many rows a worklist has; `max` if it has more. */
export async function countWorklist(db: Db, filter: WorklistFilter, max: number): Promise<number> {
  const ids = idsOfSql(filter, max);
  if (!ids) return 0;
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (${ids}) as counted`.execute(db);
  return rows[0]!.count;
}

/**
 * How many rows of a worklist somebody else has added or changed since a moment: by a change of status, or by news that nobody has seen.
 * If the list is longer, it looks at `max` rows.
 */
export async function countChangedInWorklist(
  db: Db,
  filter: WorklistFilter,
  { since, max }: { since: Date; max: number },
): Promise<number> {
  const ids = idsOfSql(filter, max);
  if (!ids) return 0;
  const { accountId, side } = filter;
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (${ids}) as listed
    where exists (
        select from referral_history h
        where h.referral_id = listed.id and h.at > ${since} and h.actor_id is distinct from ${accountId})
      or exists (
        select from watches u
        where u.referral_id = listed.id and u.at > ${since} and u.side = ${side} and u.author_id <> ${accountId})`.execute(
    db,
  );
  return rows[0]!.count;
}

/** How many referrals need the reader, by reason. A referral with several reasons counts for each. */
export async function countReasons(db: Db, filter: WorklistFilter): Promise<Map<ReasonToAct, number>> {
  const queries = idsByReason(filter).map(
    ({ reason, ids }) => sql`select ${sql.lit(reason)} as reason, id from ${ids} as each`,
  );
  if (queries.length === 0) return new Map();
  const { rows } = await sql<{ reason: ReasonToAct; count: number }>`
    select reason, count(distinct id)::int as count from (${sql.join(queries, sql` union all `)}) as needing_action
    group by reason`.execute(db);
  return new Map(rows.map(({ reason, count }) => [reason, count]));
}

/**
 * Queries for the first rows: their `id`, their `rank` and when they are `due`. What needs somebody is found from the prompts
 * and the unseen news, which are few; and each rank of each status by an index that has its order. So the first page of
 * 100,000 rows costs what one of 50 does.
 */
function listQueries(filter: WorklistFilter, limit: number): RawBuilder<unknown>[] {
  // A status that the tab does not have.
  if (filter.statuses?.length === 0) return [];
  if (filter.needsActionOnly && filter.reasonToAct) return rowsForReason(filter, filter.reasonToAct);
  if (filter.needsActionOnly)
    return [...crisisNewsQueries(filter), ...rowsForAnyReason(filter), ...unansweredQueries(filter, limit)];
  if (filter.unreadOnly) return unseenNewsQueries(filter);
  const { statuses, sort } = filter;
  if (filter.urgentOnly || filter.overdueOnly)
    return sort?.by === 'made'
      ? openByAgeQueries(filter, limit)
      : [...unseenPressingQueries(filter), ...openQueries(filter, limit)];
  if (sort?.by === 'made') return newestQueries(filter, statuses, limit);
  const notOpen = (statuses ?? referralStatuses).filter((each) => !openStatuses.includes(each));
  if (sort) return [...openQueries(filter, limit), ...newestQueries(filter, notOpen, limit)];
  return [
    ...crisisNewsQueries(filter),
    ...(statuses ? [] : rowsForAnyReason(filter)),
    // For the referrer, the rows above have the unopened referrals already.
    ...(statuses || filter.side !== 'referrer' ? unseenPressingQueries(filter) : []),
    ...openQueries(filter, limit),
    ...unseenNewsQueries(filter),
    ...newestQueries(filter, notOpen, limit),
  ];
}

/** Referrals that the service has not answered. There may be thousands, so they come in the order of their index. */
function unansweredQueries(filter: WorklistFilter, limit: number): RawBuilder<unknown>[] {
  if (filter.side !== 'provider') return [];
  if (filter.statuses && !filter.statuses.includes('requested')) return [];
  const unanswered: WorklistFilter = { ...filter, statuses: ['requested'] };
  if (filter.sort?.by === 'made') return openByAgeQueries(unanswered, limit);
  return [...unseenPressingQueries(unanswered), ...openQueries(unanswered, limit)];
}

/** The query for the ids of a worklist, up to `max`; undefined if the reader sees none. */
function idsOfSql(filter: WorklistFilter, max: number): RawBuilder<unknown> | undefined {
  const queries = idsOrRowsQueries(filter, max);
  if (queries.length === 0) return undefined;
  const ids = queries.map((query) => sql`select id from ${query} as each`);
  return sql`select distinct id from (${sql.join(ids, sql` union all `)}) as listed limit ${max}`;
}

/**
 * Queries for the same referrals as `listQueries`, to count them. Every page counts what needs the reader, and PostgreSQL takes longer to
 * plan such a query than to run it. Without ranks and an order, planning takes a sixth of the time (docs/performance.md).
 */
function idsOrRowsQueries(filter: WorklistFilter, limit: number): RawBuilder<unknown>[] {
  const { statuses, side, needsActionOnly, reasonToAct, unreadOnly } = filter;
  if (statuses?.length === 0) return [];
  if (needsActionOnly && reasonToAct)
    return idsByReason(filter).flatMap(({ reason, ids }) => (reason === reasonToAct ? [ids] : []));
  if (needsActionOnly)
    return [
      ...crisisNewsQueries(filter),
      ...idsForAnyReason(filter),
      ...(side === 'provider' ? openIdQueries(filter, ['requested'], limit) : []),
    ];
  if (unreadOnly) return unseenNewsQueries(filter);
  if (filter.urgentOnly || filter.overdueOnly) return openIdQueries(filter, openStatuses, limit);
  return newestQueries(filter, statuses, limit);
}

/**
 * The order of a whole list. It must agree with the order of each query that it joins: rows that are due on the same day would
 * otherwise stand on two pages, or on none.
 */
function orderOfSql({ sort }: WorklistFilter): RawBuilder<unknown> {
  const newestFirst = sql`case when rank not in (${sql.join(ranksInIndexOrder.map((rank) => sql.lit(rank)))}) then id end desc`;
  if (!sort) return sql`rank, due nulls last, ${newestFirst}, id`;
  if (sort.by === 'made') return sql`id ${sql.raw(sort.direction)}`;
  return sort.direction === 'asc'
    ? sql`due nulls last, rank = ${sql.lit(ranks.newest)}, ${newestFirst}, id`
    : sql`due desc nulls last, id desc`;
}
