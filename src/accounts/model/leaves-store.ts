import { type RawBuilder, sql } from 'kysely';
import { anyOfValuesSql, type Db, type Trx } from '../../platform/database/index.ts';
import { canSignInSql } from './accounts-store.ts';

/** The leave that somebody set last, by days such as 2026-12-21; it may be over. */
export type Leave = {
  firstDay: string;
  lastDay: string;
  /** Null if nobody else in the organisation can stand in. */
  standInId: string | null;
};

export type DaysOfLeave = Pick<Leave, 'firstDay' | 'lastDay'>;

export type StoredLeave = Leave & {
  /** Null if nobody was chosen, or if that person can no longer stand in. */
  standInName: string | null;
  /** The person who was chosen and can no longer stand in. */
  formerStandInName: string | null;
};

/** Whether `other` is a colleague of `a` with one of their roles, or both are operators. */
const sharesARoleSql = sql`(${canSignInSql('other')} and (
  (other.organisation_id = a.organisation_id and other.roles && a.roles)
  or ('operator' = any(a.roles) and 'operator' = any(other.roles))))`;

/** The days of the leave of an account as JSON, for {@link isOnLeave}; null if no leave is set. */
export function leaveOfSql(accountId: RawBuilder<unknown>): RawBuilder<DaysOfLeave | null> {
  return sql`(select json_build_object('firstDay', l.first_day, 'lastDay', l.last_day)
    from account_leaves l where l.account_id = ${accountId})`;
}

/** Whether somebody is on leave on a day such as 2026-12-21. The first and the last day count. */
export function isOnLeave({ leave }: { leave: DaysOfLeave | null }, date: string): boolean {
  return leave !== null && leave.firstDay <= date && date <= leave.lastDay;
}

const dayInSql = (now: Date): RawBuilder<string> =>
  sql`(${now}::timestamptz at time zone 'Europe/London')::date`;

/** The leave of an account that has not ended. */
export async function findLeave(db: Db, accountId: string, now: Date): Promise<StoredLeave | undefined> {
  const { rows } = await sql<StoredLeave>`
    select l.first_day::text as "firstDay", l.last_day::text as "lastDay", l.stand_in_id as "standInId",
      case when ${sharesARoleSql} then other.name end as "standInName",
      case when ${sharesARoleSql} then null else other.name end as "formerStandInName"
    from account_leaves l join accounts a on a.id = l.account_id left join accounts other on other.id = l.stand_in_id
    where l.account_id = ${accountId} and l.last_day >= ${dayInSql(now)}`.execute(db);
  return rows[0];
}

export async function saveLeave(
  trx: Trx,
  accountId: string,
  { firstDay, lastDay, standInId }: Leave,
  { name, at }: { name: string; at: Date },
): Promise<void> {
  const leave = {
    first_day: firstDay,
    last_day: lastDay,
    stand_in_id: standInId,
    set_by_name: name,
    set_at: at,
  };
  await trx
    .insertInto('account_leaves')
    .values({ account_id: accountId, ...leave })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(leave))
    .execute();
}

/** @returns false if there was none */
export async function deleteLeave(trx: Trx, accountId: string): Promise<boolean> {
  const deleted = await trx
    .deleteFrom('account_leaves')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return deleted.numDeletedRows === 1n;
}

/** The accounts among these whose holders are on leave now, with the stand-in for each. */
export async function listOnLeave(
  db: Db,
  accountIds: readonly string[],
  now: Date,
): Promise<Map<string, string | null>> {
  const rows = await db
    .selectFrom('account_leaves')
    .select(['account_id as id', 'stand_in_id as standInId'])
    .where('account_id', '=', anyOfValuesSql(accountIds))
    .where('first_day', '<=', dayInSql(now))
    .where('last_day', '>=', dayInSql(now))
    .execute();
  return new Map(rows.map(({ id, standInId }) => [id, standInId]));
}

/**
 * Whether on one of these days nobody else in the organisation is at work with one of the roles (referrer, provider) of the person on
 * leave.
 */
export async function wouldBeUnstaffed(
  db: Db,
  accountId: string,
  { firstDay, lastDay }: Pick<Leave, 'firstDay' | 'lastDay'>,
): Promise<boolean> {
  const { rows } = await sql`
    select from accounts a cross join unnest(a.roles) as role
      cross join generate_series(${firstDay}::timestamp, ${lastDay}::timestamp, interval '1 day') as day
    where a.id = ${accountId} and role in ('referrer', 'provider') and not exists (
      select from accounts other
      where other.id <> a.id and other.organisation_id = a.organisation_id and role = any(other.roles)
        and ${canSignInSql('other')} and not exists (
          select from account_leaves l
          where l.account_id = other.id and day between l.first_day and l.last_day))
    limit 1`.execute(db);
  return rows.length > 0;
}

/** The colleagues who have one of somebody’s roles; for an operator, also the other operators. */
export async function listPossibleStandIns(
  db: Db,
  accountId: string,
): Promise<{ id: string; name: string; email: string }[]> {
  const { rows } = await sql<{ id: string; name: string; email: string }>`
    select other.id, other.name, other.email from accounts a join accounts other on other.id <> a.id
    where a.id = ${accountId} and ${sharesARoleSql}
    order by other.name, other.email`.execute(db);
  return rows;
}

/** Whether somebody is on leave on one of these days. */
export async function isOnLeaveBetween(
  db: Db,
  accountId: string,
  { firstDay, lastDay }: Pick<Leave, 'firstDay' | 'lastDay'>,
): Promise<boolean> {
  const { rows } = await sql`
    select from account_leaves
    where account_id = ${accountId} and first_day <= ${lastDay}::date and last_day >= ${firstDay}::date`.execute(
    db,
  );
  return rows.length > 0;
}
