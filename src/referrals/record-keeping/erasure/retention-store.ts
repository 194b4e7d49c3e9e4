import { type RawBuilder, sql } from 'kysely';
import { yearsKept } from '../../../library/index.ts';
import type { Db, Trx } from '../../../platform/database/index.ts';
import type { ReferralStatus } from '../../model/referral.ts';
import { type OpenItem, openItemsOfSql } from './still-open-store.ts';

/** `automaticYears` is the period of a site that erases without asking; undefined where a named person approves it. */
export type RetentionRule = { automaticYears: number | undefined; now: Date };

/** In these statuses neither side has to act. A draft that nobody has changed for years counts as finished. */
const finishedStatuses: readonly ReferralStatus[] = [
  'draft',
  'completed',
  'rejected',
  'failed',
  'cancelled',
  'entered-in-error',
];

const { general: generalYears, mental_health: mentalHealthYears } = yearsKept;

export type RecordKind = 'adult' | 'child' | 'mental_health' | 'service';

/**
 * Selects the referrals that are old enough: their last entry is longer ago than the period of their kind, and they are not held,
 * restricted or put off. The record of somebody under 18 is kept until their 25th birthday at least; a site that erases by
 * itself keeps it to the 26th if they were 17 when it ended.
 */
function fromDueReferralsSql({ automaticYears, now }: RetentionRule): RawBuilder<unknown> {
  const statuses = sql.join(finishedStatuses.map((each) => sql.lit(each)));
  const general = sql`${automaticYears ?? generalYears}::int`;
  const born = sql`(content #>> '{patient,birth_date}')::date`;
  const until =
    automaticYears === undefined
      ? sql`interval '25 years'`
      : sql`case when version_at >= ${born} + interval '17 years' then interval '26 years' else interval '25 years' end`;
  // Where nobody looks before it is erased, staff of a service may only lengthen the site's period.
  const automatic = sql`${automaticYears ?? null}::int`;
  const serviceYears = sql`case when max(set_years) < ${automatic} then ${automatic} else max(set_years) end`;
  const since = sql`${now}::timestamptz - make_interval(years => period.years)`;
  // `max` gives one row, also for a service without settings.
  return sql`
    from referrals cross join lateral (
      select coalesce(${serviceYears}, max(case kind when 'mental_health' then greatest(${mentalHealthYears}::int, ${general}) end), ${general}) as years,
        case when ${born} is not null and version_at < ${born} + interval '18 years' then 'child'
          when max(set_years) is not null then 'service'
          when max(kind) = 'mental_health' then 'mental_health' else 'adult' end as kind
      from (select retention_years as set_years, record_kind as kind from service_referral_settings s
        where s.service_id = referrals.service_id) as settings) as period
    where erased_at is null and status in (${statuses}) and restricted_at is null and legal_hold_at is null
      and version_at < ${now}::timestamptz - make_interval(years =>
        least(${general}, (select min(retention_years) from service_referral_settings)))
      and version_at < ${since}
      and not exists (
        select from (
          select referral_id, at from referral_notes
          union all select referral_id, at from referral_messages
          union all select referral_id, at from referral_attachments
          union all select referral_id, at from person_answers) as entry
        where entry.referral_id = referrals.id and entry.at >= ${since})
      and not exists (
        select from (values ('measures', 'taken_at'), ('contacts', 'at'), ('appointments', 'at')) as list (name, moment)
          cross join lateral jsonb_array_elements(content -> list.name) as entry
        where (entry ->> list.moment)::timestamptz >= ${since})
      and (${born} is null or version_at >= ${born} + interval '18 years' or ${now}::timestamptz >= ${born} + ${until})
      and not exists (select from retention_decisions d where d.referral_id = referrals.id and d.keep_until > ${now})`;
}

/** Whether nothing is open that an erasure would destroy. */
const hasNothingOpenSql = sql`(cardinality(${openItemsOfSql}) = 0)`;

const isApprovedSql = sql`exists (
  select from retention_decisions d where d.referral_id = referrals.id and d.decision = 'erase')`;

/** What the next run erases, oldest first. */
export async function listToErase(
  db: Db,
  rule: RetentionRule,
  { limit, without }: { limit: number; without: readonly string[] },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id ${fromDueReferralsSql(rule)} and ${hasNothingOpenSql} and (${rule.automaticYears !== undefined}::boolean or ${isApprovedSql})
      and id <> all(${without}::uuid[]) order by version_at limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/** `open` is what somebody is still owed. While there is anything, the record is not erased because of its age. */
export type DueRecord = { kind: RecordKind; years: number; approvedBy: string | null; open: OpenItem[] };

/** Undefined if it is not due: somebody may have held or restricted it since it was listed. */
export async function findDueRecord(
  trx: Trx,
  rule: RetentionRule,
  id: string,
): Promise<DueRecord | undefined> {
  const { rows } = await sql<DueRecord>`
    select period.kind, period.years, ${openItemsOfSql} as open, (
      select account_name from retention_decisions d where d.referral_id = referrals.id and d.decision = 'erase') as "approvedBy"
    ${fromDueReferralsSql(rule)} and id = ${id}`.execute(trx);
  return rows[0];
}

export type ListedDueRecord = {
  id: string;
  reference: string;
  status: ReferralStatus;
  statusReason: { code: string } | null;
  serviceName: string | null;
  endedAt: Date;
  kind: RecordKind;
  years: number;
  approvedBy: string | null;
  open: OpenItem[];
};

/** A due record waits for approval, is approved, or cannot be approved yet because something is still open. */
type DueState = 'waiting' | 'approved' | 'open';

/** What is due, oldest first, without the person. */
export async function listDueRecords(
  db: Db,
  rule: RetentionRule,
  { state, limit }: { state: DueState; limit: number },
): Promise<ListedDueRecord[]> {
  const { rows } = await sql<ListedDueRecord>`
    select id, reference, status, status_reason as "statusReason", service_name as "serviceName", version_at as "endedAt", period.kind, period.years, ${openItemsOfSql} as open, (
      select account_name from retention_decisions d where d.referral_id = referrals.id and d.decision = 'erase') as "approvedBy"
    ${fromDueReferralsSql(rule)}
      and ${state}::text = case when not ${hasNothingOpenSql} then 'open' when ${isApprovedSql} then 'approved' else 'waiting' end
    order by version_at, id limit ${limit}`.execute(db);
  return rows;
}

export type DueCount = { kind: RecordKind; approved: boolean; count: number };

export async function countErasuresDue(db: Db, rule: RetentionRule): Promise<DueCount[]> {
  const { rows } = await sql<DueCount>`
    select kind, approved, count(*)::int as count
    from (select period.kind, ${isApprovedSql} as approved ${fromDueReferralsSql(rule)} and ${hasNothingOpenSql}) as due
    group by kind, approved order by kind`.execute(db);
  return rows;
}

/** How many are old enough, but cannot be erased, because something is still open. */
export async function countDueButOpen(db: Db, rule: RetentionRule): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count ${fromDueReferralsSql(rule)} and not ${hasNothingOpenSql}`.execute(db);
  return rows[0]!.count;
}

export type Decision = { decision: 'erase' | 'keep'; keepUntil: Date | null; reason: string; at: Date };

export async function saveDecision(
  trx: Trx,
  referralId: string,
  { decision, keepUntil, reason, at }: Decision,
  by: { accountId: string; name: string },
): Promise<void> {
  const saved = {
    decision,
    keep_until: keepUntil,
    reason,
    at,
    account_id: by.accountId,
    account_name: by.name,
  };
  await trx
    .insertInto('retention_decisions')
    .values({ referral_id: referralId, ...saved })
    .onConflict((conflict) => conflict.column('referral_id').doUpdateSet(saved))
    .execute();
}
