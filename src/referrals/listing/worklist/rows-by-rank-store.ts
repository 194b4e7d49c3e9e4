import { type RawBuilder, sql } from 'kysely';
import { isPressingSql } from '../../model/attention/dangers-store.ts';
import { isUnseenSql, isWatchLateSql, kindsSql, writtenKinds } from '../../model/attention/watches-store.ts';
import { openStatuses, type ReferralStatus } from '../../model/referral.ts';
import {
  dueSql,
  idQueries,
  idsWithUnseenNewsSql,
  isInStatusSql,
  isOneOfSql,
  maxAttentionRows,
  ranks,
  rowQueries,
  urgencyConditionsSql,
} from './row-queries-store.ts';
import type { WorklistFilter } from './work-filter.ts';

/**
 * Referrals that are urgent, or with a risk of harm, and that nobody of the service has opened. For the service, those with a risk or a
 * message that mentions a crisis come first at once; the others once somebody was told that nobody has opened them. They are few.
 */
export function unseenPressingQueries(filter: WorklistFilter): RawBuilder<unknown>[] {
  const { side, now } = filter;
  const wanted = openStatusesOf(filter);
  if (wanted.length === 0) return [];
  const isLate = sql`${isUnseenSql(sql`r.seen_at`)} and ${isWatchLateSql(now)} and ${isPressingSql(sql`r.urgency`, sql`u.risk`)}`;
  const isFirst = side === 'provider' ? sql`(${isLate} or u.side = 'provider' and u.risk)` : isLate;
  // PostgreSQL takes ten times longer to plan a join of referrals.
  const isWatched = isOneOfSql(sql`
    select u.referral_id as id from watches u
    cross join lateral (select urgency, seen_at from referrals where id = u.referral_id offset 0) as r
    where ${isFirst}`);
  const isOpen = sql`${isInStatusSql(wanted)} and restricted_at is null`;
  return rowQueries(filter, {
    rank: sql.lit(ranks.unseenPressing),
    conditions: [isOpen, ...urgencyConditionsSql(filter), isWatched],
    limit: maxAttentionRows,
  });
}

/** Referrals with news of a crisis that nobody of the reader's side has seen: they come first, whatever has become of them. */
export function crisisNewsQueries(filter: WorklistFilter): RawBuilder<unknown>[] {
  const { side, statuses } = filter;
  if (side === 'operators') return [];
  const conditions = [
    ...(statuses ? [isInStatusSql(statuses)] : []),
    sql`restricted_at is null`,
    isOneOfSql(sql`
      select u.referral_id from watches u
      where u.side = ${side} and u.risk and u.kind in ${kindsSql(writtenKinds)}`),
  ];
  return rowQueries(filter, { rank: sql.lit(ranks.unseenPressing), conditions, limit: maxAttentionRows });
}

/** Referrals with news that nobody of the reader's side has seen, also ended ones. */
export function unseenNewsQueries(filter: WorklistFilter): RawBuilder<unknown>[] {
  const { side, urgentOnly, overdueOnly } = filter;
  if (side === 'operators') return [];
  const isOpenOnly = urgentOnly || overdueOnly;
  const statuses = isOpenOnly
    ? openStatuses.filter((each) => filter.statuses?.includes(each) ?? true)
    : filter.statuses;
  if (statuses?.length === 0) return [];
  const conditions = [
    ...(statuses ? [isInStatusSql(statuses)] : []),
    ...urgencyConditionsSql(filter),
    isOneOfSql(idsWithUnseenNewsSql(side)),
  ];
  // All of these are unread, so the filter need not ask once more.
  return rowQueries(
    { ...filter, unreadOnly: false },
    { rank: sql.lit(ranks.unseenNews), conditions, limit: maxAttentionRows },
  );
}

/**
 * Open referrals, each status and urgency by an index that has the order of the list. Overdue or not is one query, because planning two
 * costs PostgreSQL more than reading the rows.
 */
export function openQueries(filter: WorklistFilter, limit: number): RawBuilder<unknown>[] {
  const { urgentOnly, overdueOnly, now, sort } = filter;
  const urgencies = urgentOnly ? (['urgent'] as const) : bothUrgencies;
  const latestFirst = sort?.by === 'due' && sort.direction === 'desc';
  // Read backwards, the index starts with rows without a date, but the list wants them last.
  const parts = latestFirst
    ? [
        { conditions: [sql`${dueSql} is not null`], order: sql`${dueSql} desc, id desc` },
        ...(overdueOnly
          ? []
          : [{ conditions: [sql`${dueSql} is null`], order: sql`${dueSql} desc, id desc` }]),
      ]
    : [{ conditions: [], order: sql`${dueSql}, id` }];
  const combinations = openStatusesOf(filter).flatMap((status) =>
    urgencies.flatMap((urgency) => parts.map((part) => ({ status, urgency, ...part }))),
  );
  return combinations.flatMap(({ status, urgency, conditions, order }) => {
    const ifUrgent = status === 'requested' ? ranks.urgentUnanswered : ranks.urgent;
    const ifRoutine = status === 'requested' && filter.side === 'provider' ? ranks.toAnswer : ranks.routine;
    const ifNotOverdue = urgency === 'urgent' ? ifUrgent : ifRoutine;
    const rank = sql`case when ${dueSql} < ${now} then ${sql.lit(ranks.overdue)} else ${sql.lit(ifNotOverdue)} end`;
    const isOfIndex = sql`status = ${sql.lit(status)} and urgency = ${sql.lit(urgency)}`;
    return rowQueries(filter, {
      rank,
      conditions: [isOfIndex, ...urgencyConditionsSql(filter), ...conditions],
      order,
      limit,
    });
  });
}

/** The ids of open referrals of these statuses, to be counted: one query for all, by the index of `openQueries`. */
export function openIdQueries(
  filter: WorklistFilter,
  statuses: readonly ReferralStatus[],
  limit: number,
): RawBuilder<unknown>[] {
  const wanted = openStatusesOf(filter).filter((each) => statuses.includes(each));
  if (wanted.length === 0) return [];
  return idQueries(filter, {
    conditions: [isOfDueIndexSql(wanted), ...urgencyConditionsSql(filter)],
    order: 'none',
    limit,
  });
}

/** The first columns of the indexes by due date. PostgreSQL finds what is overdue by them only if a query names each. */
export function isOfDueIndexSql(statuses: readonly ReferralStatus[]): RawBuilder<unknown> {
  return sql`${isInStatusSql(statuses)} and urgency in (${sql.join(bothUrgencies.map((each) => sql.lit(each)))})`;
}

export const bothUrgencies = ['urgent', 'routine'] as const;

function openStatusesOf({ statuses }: WorklistFilter): ReferralStatus[] {
  return openStatuses.filter((each) => !statuses || statuses.includes(each));
}

/** Referrals of these statuses, or all, by when they were made and whatever their due date. */
export function newestQueries(
  filter: WorklistFilter,
  statuses: readonly ReferralStatus[] | undefined,
  limit: number,
): RawBuilder<unknown>[] {
  const ofEachStatus = statuses?.map((status) => [sql`status = ${sql.lit(status)}`]) ?? [[]];
  return ofEachStatus.flatMap((conditions) =>
    rowQueries(filter, {
      rank: sql.lit(ranks.newest),
      conditions,
      order: sql`id ${idDirectionSql(filter)}`,
      dueColumn: sql`null::timestamptz`,
      limit,
    }),
  );
}

/** For a list that is sorted by id, so that ranks do not matter. */
const anyRank = ranks.routine;

/** Open referrals, sorted by when they were made. */
export function openByAgeQueries(filter: WorklistFilter, limit: number): RawBuilder<unknown>[] {
  return openStatusesOf(filter).flatMap((status) =>
    rowQueries(filter, {
      rank: sql.lit(anyRank),
      conditions: [sql`status = ${sql.lit(status)}`, ...urgencyConditionsSql(filter)],
      order: sql`id ${idDirectionSql(filter)}`,
      limit,
    }),
  );
}

function idDirectionSql({ sort }: WorklistFilter): RawBuilder<unknown> {
  return sql.raw(sort?.by === 'made' ? sort.direction : 'desc');
}
