import { type RawBuilder, sql } from 'kysely';
import { isPromptForSql } from '../../model/attention/prompts-store.ts';
import { openStatuses } from '../../model/referral.ts';
import { isEndingToCheckSql, isStillUnhelpedSql } from '../../model/referrals-store.ts';
import { hasOpenGpActionSql, staffMustTellPracticeSql } from './gp-actions-store.ts';
import {
  dueSql,
  idsWithUnseenNewsSql,
  maxRowsOfFew,
  ranks,
  rowQueries,
  urgencyConditionsSql,
} from './row-queries-store.ts';
import { bothUrgencies, unseenPressingQueries } from './rows-by-rank-store.ts';
import type { ReasonToAct, WorkFilter } from './work-filter.ts';

export type ReasonQuery = { reason: ReasonToAct; query: RawBuilder<unknown> };

/** The referrals that need the reader, each query with its reason. A reason may have several queries. */
export function reasonQueries(filter: WorkFilter): ReasonQuery[] {
  const listed = idsInOtherTables(filter).flatMap(({ reason, ids }) =>
    needingActionQueries(filter, [sql`id in (${ids})`]).map((query) => ({ reason, query })),
  );
  const promptedByDay = promptsByDayQueries(filter).map((query) => ({ reason: 'prompt' as const, query }));
  return [...promptedByDay, ...listed, ...reasonQueriesOnReferrals(filter)];
}

export function oneReasonQueries(filter: WorkFilter, reason: ReasonToAct): RawBuilder<unknown>[] {
  return reasonQueries(filter)
    .filter((each) => each.reason === reason)
    .map(({ query }) => query);
}

/** The same rows as `reasonQueries`, by fewer queries: PostgreSQL takes longest to plan them. */
export function anyReasonQueries(filter: WorkFilter): RawBuilder<unknown>[] {
  const ids = sql.join(
    idsInOtherTables(filter).map((each) => each.ids),
    sql` union all `,
  );
  return [
    ...promptsByDayQueries(filter),
    ...needingActionQueries(filter, [sql`id in (${ids})`]),
    ...reasonQueriesOnReferrals(filter).map(({ query }) => query),
  ];
}

/**
 * Referrals with a prompt to act by a day, such as after a worrying answer. They are listed with what is overdue, by that day where it is
 * before the referral’s own, whatever has become of the referral.
 */
function promptsByDayQueries(filter: WorkFilter): RawBuilder<unknown>[] {
  const { side } = filter;
  const byDay = (what: RawBuilder<unknown>) => sql`
    select ${what} from referral_prompts p
    where p.dismissed_at is null and p.due_on is not null and ${isPromptForSql(side)}`;
  return rowQueries(filter, {
    rank: sql.lit(ranks.needsActionNow),
    conditions: [
      sql`restricted_at is null and erased_at is null and id in (${byDay(sql`p.referral_id`)})`,
      ...urgencyConditionsSql(filter),
    ],
    dueColumn: sql`least(${dueSql}, (${byDay(sql`min(p.due_on)`)} and p.referral_id = referrals.id)::timestamp at time zone 'Europe/London')`,
    limit: maxRowsOfFew,
  });
}

/** Ids that other tables give (prompts, news, questions, reminders), and the few referrals with a reported death. */
function idsInOtherTables({
  side,
  accountId,
  today,
}: WorkFilter): { reason: ReasonToAct; ids: RawBuilder<unknown> }[] {
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

/** What is found by columns of the referrals themselves, such as the status, a due date or what the practice is asked. */
function reasonQueriesOnReferrals(filter: WorkFilter): ReasonQuery[] {
  const { side, today, now } = filter;
  if (side === 'operators') return [];
  const needs = (
    reason: ReasonToAct,
    ...queryParts: Parameters<typeof needingActionQueries>
  ): ReasonQuery[] => needingActionQueries(...queryParts).map((query) => ({ reason, query }));
  const forPractice = needs('gp-action', filter, [hasOpenGpActionSql, staffMustTellPracticeSql(today)]);
  if (side === 'provider') {
    const answered = openStatuses.filter((each) => each !== 'requested');
    // In the order of their index: otherwise PostgreSQL reads all referrals by id to find a few that are overdue.
    const overdue = answered.flatMap((status) =>
      bothUrgencies.flatMap((urgency) =>
        needs(
          'overdue',
          filter,
          [sql`status = ${status} and urgency = ${urgency} and ${dueSql} < ${now}`],
          sql`${dueSql}, id`,
        ),
      ),
    );
    return [...forPractice, ...overdue];
  }
  const notOpenedInTime = unseenPressingQueries(filter).map((query) => ({
    reason: 'not-opened-in-time' as const,
    query,
  }));
  return [
    ...notOpenedInTime,
    ...forPractice,
    // In words: `whoseTurn` in model/presentation/whose-turn.ts.
    ...needs('draft', filter, [sql`status = 'draft'`]),
    ...needs('unhelped', filter, [isStillUnhelpedSql]),
    ...needs('ending-to-check', filter, [isEndingToCheckSql(now)]),
  ];
}

/** Queries for rows that need the reader and meet the conditions, with the rank of such rows. */
function needingActionQueries(
  filter: WorkFilter,
  conditions: readonly RawBuilder<unknown>[],
  order: RawBuilder<unknown> = sql`id desc`,
): RawBuilder<unknown>[] {
  const isUsable = sql`restricted_at is null and erased_at is null`;
  const rank = rankOfNeedingActionSql(filter);
  return rowQueries(filter, {
    rank,
    conditions: [isUsable, ...urgencyConditionsSql(filter), ...conditions],
    order,
    limit: maxRowsOfFew,
  });
}

/** The rank of a referral that needs the reader. */
function rankOfNeedingActionSql({ now, side }: WorkFilter): RawBuilder<unknown> {
  const unhelped = sql`when ${isStillUnhelpedSql} then ${sql.lit(ranks.unhelped)}`;
  // A reported death waits for somebody to confirm it, whatever has become of the referral.
  const ended = sql`
    when status not in (${sql.join(openStatuses)}) and death_reported_at is null then ${sql.lit(ranks.endedWithNews)}`;
  return sql`case
    when status = 'draft' then ${sql.lit(ranks.draft)}
    when status in (${sql.join(openStatuses)}) and (urgency = 'urgent' or ${dueSql} < ${now}) then ${sql.lit(ranks.needsActionNow)}
    ${side === 'referrer' ? unhelped : sql``}
    ${side === 'operators' ? sql`` : ended}
    else ${sql.lit(ranks.needsAction)} end`;
}
