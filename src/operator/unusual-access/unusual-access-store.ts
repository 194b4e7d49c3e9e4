import { sql } from 'kysely';
import { midnightSql } from '../../audit/index.ts';
import { isSensitiveReferralSql } from '../../library/index.ts';
import type { Db, Trx } from '../../platform/database/index.ts';
import { namesakeReferredAction, triedTooOftenAction } from '../../referrals/index.ts';
import { auditOpenedAction } from '../audit/revealing-entries.ts';

export type AccessReason =
  | 'own-name'
  | 'own-email'
  | 'many-misses'
  | 'no-action'
  | 'many-misses-in-week'
  | 'no-action-in-week'
  | 'sensitive'
  | 'audit-opened'
  | 'namesake'
  | 'number-tries';
export type UnusualAccess = {
  accountId: string;
  day: string;
  reason: AccessReason;
  count: number;
  /** The named keys with which the account did it. */
  keyNames: string[];
};

/** The limit for seven days is three times that of a day: a busy week has more searches and readings. */
const weekLimitInDayLimits = 3;

/**
 * Finds unusual access to records, by account and day; and for seven days, if each day is below its limit.
 * - At a sensitive service: only access by people who are not its staff, and who did nothing with the referral or gave no reason first.
 *   Both are needed, because anybody on a side may record a changed agreement without a reason.
 * - By systems: only searches that found nobody, and NHS numbers that were tried too often. A system reads for many people.
 *   The page for somebody who asks who saw them (`/operator/patients`) lists systems, too.
 */
export async function findUnusualAccess(
  db: Db,
  days: AccessDays,
  { minMisses, minWithoutAction }: { minMisses: number; minWithoutAction: number },
): Promise<UnusualAccess[]> {
  const { rows } = await sql<UnusualAccess>`
    with recent as (${recentLooksSql(days)}),
    noticed as (
      select account_id, key_name, day, 'own-name' as reason from recent where own = 'name' and not is_system
      union all select account_id, key_name, day, 'own-email' from recent where own = 'email' and not is_system
      union all select account_id, key_name, day, 'many-misses' from recent where kind = 'search' and found = 0
      union all select account_id, key_name, day, 'no-action' from recent
        where kind = 'opening' and not acted and not is_system
      union all select account_id, key_name, day, 'sensitive' from recent
        where kind = 'opening' and not is_system and sensitive and side <> 'provider' and not (acted and gave_reason)
      union all ${auditedSql(days, auditOpenedAction, 'audit-opened')}
      union all ${auditedSql(days, namesakeReferredAction, 'namesake')}
      union all ${auditedSql(days, triedTooOftenAction, 'number-tries')}),
    days as (
      select account_id, day, reason, count(*)::int as count,
        coalesce(array_agg(distinct key_name) filter (where key_name is not null), '{}') as key_names,
        case reason when 'many-misses' then ${minMisses}::int when 'no-action' then ${minWithoutAction}::int else 1 end as minimum
      from noticed group by account_id, day, reason),
    weeks as (${weeksOfDaysSql}),
    unusual as (
      select account_id, day, reason, count, key_names from days where count >= minimum
      union all
      -- Once a week. The first days of the range have no seven days before them.
      (select distinct on (account_id, reason, date_trunc('week', day)) account_id, day, reason || '-in-week', total, key_names
      from weeks where total >= minimum * ${weekLimitInDayLimits}::int and busiest < minimum and day >= ${days.from}::date + 6
      order by account_id, reason, date_trunc('week', day), day))
    select account_id as "accountId", to_char(day, 'YYYY-MM-DD') as day, reason, count, key_names as "keyNames"
    from unusual order by unusual.day, reason, account_id`.execute(db);
  return rows;
}

type AccessDays = { from: string; before: string };

/** The looks of these days, with whether the account did something with the referral, and gave a reason before it opened it. */
const recentLooksSql = ({ from, before }: AccessDays) => sql`
  select l.account_id, l.key_name, l.day, l.kind, l.found, l.own, l.side, person.is_system,
    ${isSensitiveReferralSql(sql`r`, sql`s`)} as sensitive,
    exists (select from referral_history h where h.referral_id = l.referral_id and h.actor_id = l.account_id)
      or exists (select from referral_messages m where m.referral_id = l.referral_id and m.author_id = l.account_id)
      or exists (select from referral_changes c where c.referral_id = l.referral_id and c.author_id = l.account_id)
      or exists (select from referral_attachments a where a.referral_id = l.referral_id and a.author_id = l.account_id)
      as acted,
    exists (select from referral_openings o where o.referral_id = l.referral_id and o.account_id = l.account_id)
      as gave_reason
  from looks l join accounts person on person.id = l.account_id
    left join referrals r on r.id = l.referral_id
    left join service_referral_settings s on s.service_id = r.service_id
  where l.day >= ${from}::date and l.day < ${before}::date`;

/** What the audit has of these days: each act is noticed for this reason. */
const auditedSql = ({ from, before }: AccessDays, action: string, reason: AccessReason) => sql`
  select actor_id, details ->> 'by_key', (at at time zone 'Europe/London')::date, ${reason}::text from audit_entries
  where action = ${action} and actor_id is not null and at >= ${midnightSql(from)} and at < ${midnightSql(before)}`;

/** Of each day, how often the account did the same in the seven days that end with it, and on the busiest of them. */
const weeksOfDaysSql = sql`
  select *, (sum(count) over seven_days)::int as total, max(count) over seven_days as busiest
  from days where reason in ('many-misses', 'no-action')
  window seven_days as (partition by account_id, reason order by day range between interval '6 days' preceding and current row)`;

export async function insertAccessToReview(
  trx: Trx,
  { id, at, accountId, day, reason, count, keyNames }: UnusualAccess & { id: string; at: Date },
): Promise<void> {
  await trx
    .insertInto('unusual_access')
    .values({ id, noticed_at: at, account_id: accountId, day, reason, count, key_names: keyNames })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The number of accesses that nobody has reviewed yet, by reason, with the day of the oldest. */
export async function countOpenReviews(
  db: Db,
): Promise<{ reason: AccessReason; count: number; oldest: string }[]> {
  const { rows } = await sql<{ reason: AccessReason; count: number; oldest: string }>`
    select reason, count(*)::int as count, min(day)::text as oldest from unusual_access
    where checked_at is null group by reason order by reason`.execute(db);
  return rows;
}

export type AccessToReview = UnusualAccess & {
  id: string;
  accountName: string;
  isSystem: boolean;
  /** The person who looks after the account of a system. */
  ownerId: string | null;
  /** Earlier names of the account. */
  formerNames: string[];
  organisation: string | null;
  checkedAt: Date | null;
  checkedByName: string | null;
  note: string | null;
};

/** Reviews of unusual access, the newest first. */
export async function listReviews(
  db: Db,
  { checked, beforeId, limit }: { checked: boolean; beforeId: string | undefined; limit: number },
): Promise<AccessToReview[]> {
  const { rows } = await sql<AccessToReview>`
    select c.id, c.account_id as "accountId", a.name as "accountName", a.is_system as "isSystem",
      a.owner_id as "ownerId", c.key_names as "keyNames",
      array(select value from account_former_details f where f.account_id = a.id and f.kind = 'name') as "formerNames", o.name as organisation,
      to_char(c.day, 'YYYY-MM-DD') as day, c.reason, c.count, c.checked_at as "checkedAt",
      c.checked_by_name as "checkedByName", c.note
    from unusual_access c join accounts a on a.id = c.account_id left join organisations o on o.id = a.organisation_id
    where ${checked ? sql`c.checked_at is not null` : sql`c.checked_at is null`} and (${beforeId ?? null}::uuid is null or c.id < ${beforeId ?? null})
    order by c.id desc limit ${limit}`.execute(db);
  return rows;
}

export function lockReview(trx: Trx, id: string) {
  return trx
    .selectFrom('unusual_access as c')
    .innerJoin('accounts as a', 'a.id', 'c.account_id')
    .select([
      'c.id',
      'c.account_id as accountId',
      'a.owner_id as ownerId',
      'c.reason',
      'c.checked_at as checkedAt',
    ])
    .where('c.id', '=', id)
    .forUpdate('c')
    .executeTakeFirst();
}

export async function saveReview(
  trx: Trx,
  id: string,
  { at, by, byName, note }: { at: Date; by: string; byName: string; note: string },
): Promise<void> {
  await trx
    .updateTable('unusual_access')
    .set({ checked_at: at, checked_by: by, checked_by_name: byName, note })
    .where('id', '=', id)
    .execute();
}

/** Deletes reviews that are 13 months old, like the access records that they are about: the guardian has seen a year of them. */
export async function deleteOldReviews(db: Db, now: Date): Promise<void> {
  await sql`delete from unusual_access where noticed_at < ${now}::timestamptz - interval '13 months'`.execute(
    db,
  );
}
