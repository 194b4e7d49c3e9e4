import { type RawBuilder, sql } from 'kysely';
import { isPromptForSql } from '../../model/attention/prompts-store.ts';
import { openStatuses } from '../../model/referral.ts';
import { isEndingToCheckSql, isStillUnhelpedSql } from '../../model/referrals-store.ts';
import { staffMustTellPracticeSql } from './gp-actions-store.ts';
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
import { bothUrgencies, isOfDueIndexSql, unseenPressingQueries } from './rows-by-rank-store.ts';
import type { ReasonToAct, WorklistFilter } from './work-filter.ts';

export type ReasonQuery = { reason: ReasonToAct; ids: RawBuilder<unknown> };

/** The ids of the referrals that need the reader, each query with its reason. A reason may have several queries. */
export function idsByReason(filter: WorklistFilter): ReasonQuery[] {
  const listed = idsFoundElsewhere(filter).flatMap(({ reason, ids }) =>
    usableIdQueries(filter, [isOneOfSql(ids)]).map((query) => ({ reason, ids: query })),
  );
  const notOpenedInTime = rowsNotOpenedInTime(filter).map((ids) => ({
    reason: 'not-opened-in-time' as const,
    ids,
  }));
  return [...listed, ...notOpenedInTime, ...idsFoundInReferrals(filter), ...overdueIds(filter)];
}

/** The rows of the referrals that need the reader for one reason. */
export function rowsForReason(filter: WorklistFilter, reason: ReasonToAct): RawBuilder<unknown>[] {
  if (reason === 'not-opened-in-time') return rowsNotOpenedInTime(filter);
  const ids = idsByReason(filter).flatMap((each) => (each.reason === reason ? [each.ids] : []));
  if (ids.length === 0) return [];
  return [...(reason === 'prompt' ? rowsOfPromptsByDay(filter) : []), rankedRowsSql(filter, ids)];
}

/** The rows of the referrals that need the reader for any reason. */
export function rowsForAnyReason(filter: WorklistFilter): RawBuilder<unknown>[] {
  const overdue = overdueIds(filter).map(({ ids }) => ids);
  return [
    ...rowsOfPromptsByDay(filter),
    ...rowsNotOpenedInTime(filter),
    rankedRowsSql(filter, [...idsForOtherReasons(filter), ...overdue]),
  ];
}

/** The ids of the same referrals, to be counted: what is overdue needs no order then. */
export function idsForAnyReason(filter: WorklistFilter): RawBuilder<unknown>[] {
  const isOverdue = sql`${isOfDueIndexSql(answeredStatuses)} and ${dueSql} < ${filter.now}`;
  return [
    ...idsForOtherReasons(filter),
    ...rowsNotOpenedInTime(filter),
    ...(filter.side === 'provider' ? usableIdQueries(filter, [isOverdue], 'none') : []),
  ];
}

/**
 * All but what is overdue, or was not opened in time. One query has the ids of all other tables, because PostgreSQL spends more time on
 * planning each query than on running it.
 */
function idsForOtherReasons(filter: WorklistFilter): RawBuilder<unknown>[] {
  const listed = sql.join(
    idsFoundElsewhere(filter).map(({ ids }) => ids),
    sql` union all `,
  );
  return [
    ...usableIdQueries(filter, [isOneOfSql(listed)]),
    ...idsFoundInReferrals(filter).map(({ ids }) => ids),
  ];
}

/** The rows of these ids, with the rank of what needs the reader. `offset 0` keeps PostgreSQL from reading all referrals for them. */
function rankedRowsSql(filter: WorklistFilter, ids: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  const each = ids.map((query) => sql`select id from ${query} as each`);
  return sql`(select referrals.id, ${rankOfNeedingActionSql(filter)} as rank, ${dueSql} as due
    from (${sql.join(each, sql` union `)}) as needing
    cross join lateral (select * from referrals where id = needing.id offset 0) as referrals)`;
}

const answeredStatuses = openStatuses.filter((each) => each !== 'requested');

/**
 * Referrals with a prompt to act by a day, such as after a worrying answer. They are listed with what is overdue, by that day where it is
 * before the referral’s own, whatever has become of the referral.
 */
function rowsOfPromptsByDay(filter: WorklistFilter): RawBuilder<unknown>[] {
  const { side } = filter;
  const byDay = (what: RawBuilder<unknown>) => sql`
    select ${what} from referral_prompts p
    where p.dismissed_at is null and p.due_on is not null and ${isPromptForSql(side)}`;
  return rowQueries(filter, {
    rank: sql.lit(ranks.needsActionNow),
    conditions: [
      sql`restricted_at is null and erased_at is null`,
      isOneOfSql(byDay(sql`p.referral_id`)),
      ...urgencyConditionsSql(filter),
    ],
    dueColumn: sql`least(${dueSql}, (${byDay(sql`min(p.due_on)`)} and p.referral_id = referrals.id)::timestamp at time zone 'Europe/London')`,
    limit: maxAttentionRows,
  });
}

/** Ids that other tables give (prompts, news, questions, reminders), and the few referrals with a reported death. */
function idsFoundElsewhere({
  side,
  accountId,
  today,
}: WorklistFilter): { reason: ReasonToAct; ids: RawBuilder<unknown> }[] {
  const prompted = sql`
    select p.referral_id from referral_prompts p where p.dismissed_at is null and ${isPromptForSql(side)}`;
  if (side === 'operators') return [{ reason: 'prompt', ids: prompted }];
  return [
    { reason: 'prompt', ids: prompted },
    // Either side can say whether the person has died.
    {
      reason: 'reported-death',
      ids: sql`select d.id from referrals d where d.death_reported_at is not null`,
    },
    { reason: 'news-or-question', ids: idsWithUnseenNewsSql(side) },
    // Somebody who has read a question still has to answer it.
    {
      reason: 'news-or-question',
      ids: sql`select q.referral_id from open_questions q where q.side = ${side}`,
    },
    {
      reason: 'reminder',
      ids: sql`
        select m.referral_id from referral_reminders m where m.account_id = ${accountId} and m.remind_on <= ${today}::date`,
    },
  ];
}

/** What is found by columns of the referrals themselves, such as the status or what the practice is asked. */
function idsFoundInReferrals(filter: WorklistFilter): ReasonQuery[] {
  const { side, today, now } = filter;
  if (side === 'operators') return [];
  const needs = (reason: ReasonToAct, condition: RawBuilder<unknown>): ReasonQuery[] =>
    usableIdQueries(filter, [condition]).map((ids) => ({ reason, ids }));
  const forPractice = needs('gp-action', staffMustTellPracticeSql(today));
  if (side === 'provider') return forPractice;
  return [
    ...forPractice,
    // In words: `whoseTurn` in model/presentation/whose-turn.ts.
    ...needs('draft', sql`status = 'draft'`),
    ...needs('unhelped', isStillUnhelpedSql),
    ...needs('ending-to-check', isEndingToCheckSql(now)),
  ];
}

/** For the service, these are among what it has to answer. Their rank is their own, so a list takes them as rows. */
function rowsNotOpenedInTime(filter: WorklistFilter): RawBuilder<unknown>[] {
  return filter.side === 'referrer' ? unseenPressingQueries(filter) : [];
}

/**
 * What a service has answered and is overdue, in the order of its index: otherwise PostgreSQL reads all referrals by id to find a few that
 * are overdue.
 */
function overdueIds(filter: WorklistFilter): ReasonQuery[] {
  const { side, now } = filter;
  if (side !== 'provider') return [];
  return answeredStatuses.flatMap((status) =>
    bothUrgencies.flatMap((urgency) =>
      usableIdQueries(
        filter,
        [sql`status = ${sql.lit(status)} and urgency = ${sql.lit(urgency)} and ${dueSql} < ${now}`],
        sql`${dueSql}, id`,
      ).map((ids) => ({ reason: 'overdue' as const, ids })),
    ),
  );
}

/** Queries for the ids of referrals that are neither restricted nor erased, and meet the conditions. */
function usableIdQueries(
  filter: WorklistFilter,
  conditions: readonly RawBuilder<unknown>[],
  order?: RawBuilder<unknown> | 'none',
): RawBuilder<unknown>[] {
  const isUsable = sql`restricted_at is null and erased_at is null`;
  return idQueries(filter, {
    conditions: [isUsable, ...urgencyConditionsSql(filter), ...conditions],
    order,
    limit: maxAttentionRows,
  });
}

/** The rank of a referral that needs the reader. */
function rankOfNeedingActionSql({ now, side }: WorklistFilter): RawBuilder<unknown> {
  const unhelped = sql`when ${isStillUnhelpedSql} then ${sql.lit(ranks.unhelped)}`;
  // A reported death waits for somebody to confirm it, whatever has become of the referral.
  const ended = sql`
    when not ${isInStatusSql(openStatuses)} and death_reported_at is null then ${sql.lit(ranks.unseenNews)}`;
  return sql`case
    when status = 'draft' then ${sql.lit(ranks.draft)}
    when ${isInStatusSql(openStatuses)} and (urgency = 'urgent' or ${dueSql} < ${now}) then ${sql.lit(ranks.needsActionNow)}
    ${side === 'referrer' ? unhelped : sql``}
    ${side === 'operators' ? sql`` : ended}
    else ${sql.lit(ranks.needsAction)} end`;
}
