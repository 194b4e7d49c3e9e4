import { sql } from 'kysely';
import { openStatuses, underWayStatuses } from '../../referrals/index.ts';

/** The referrals to count: those sent on these days, both included. */
export type Cohort = {
  from: string;
  to: string;
  now: Date;
  /** Simulated referrals count on a test site only. */
  includesSimulated: boolean;
  /** Counts only referrals to the services of this organization of the library. */
  organizationId?: string | undefined;
  /** Services that no number may include, such as the sensitive ones: subtracting the others would reveal them. */
  excludedServices: readonly string[];
  onlyServices?: readonly string[];
};

/** The dimensions by which referrals are split. Each referral belongs to one part. */
export const singleDimensions = ['service', 'age', 'gender', 'interpreter', 'imd', 'ethnicity'] as const;
/** The dimensions that only unmet need is split by. A referral may have several needs. */
export const needDimensions = ['need', 'district'] as const;
export type Dimension = (typeof singleDimensions)[number] | (typeof needDimensions)[number];

/** Whether the cohort is the whole site: then the counts of whole days can be added up. */
export const isWholeSite = ({ organizationId, onlyServices }: Cohort) =>
  organizationId === undefined && onlyServices === undefined;

/** The condition for a row of `report_facts` to be counted, apart from its day. */
export const belongsToSql = ({
  includesSimulated,
  organizationId,
  excludedServices,
  onlyServices,
}: Omit<Cohort, 'from' | 'to' | 'now'>) => sql`
  status <> 'entered-in-error' and (${includesSimulated} or not simulated)
  and service_id <> all(${excludedServices}::text[]) and (${onlyServices ?? null}::text[] is null or service_id = any(${onlyServices ?? []}::text[]))
  and (${organizationId ?? null}::text is null or service_organization_id = ${organizationId ?? null})`;

/** Nobody declined a referral that ended because the person has died. */
export const isDeclinedSql = sql`(status = 'rejected' and end_reason is distinct from 'died')`;
/** Ended without being completed or declined. Pages say “Closed for another reason”. */
export const isClosedOtherwiseSql = sql`(status in ('failed', 'cancelled') or status = 'rejected' and end_reason = 'died')`;

export const isCountedSql = (cohort: Cohort) =>
  sql`sent_on between ${cohort.from}::date and ${cohort.to}::date and ${belongsToSql(cohort)}`;

/** The part of a dimension to which a row of report_facts belongs. Two deciles of deprivation make one fifth. */
export const partOfSql = (dimension: (typeof singleDimensions)[number]) => {
  const columns = {
    service: sql`service_id`,
    age: sql`age_band`,
    gender: sql`gender`,
    interpreter: sql`interpreter::text`,
    imd: sql`((imd_decile + 1) / 2)::text`,
    ethnicity: sql`ethnic_group`,
  };
  return sql`coalesce(${columns[dimension]}, 'unknown')`;
};

export const isOpenSql = sql`status = any(${openStatuses}::text[])`;
export const isUnderWaySql = sql`status = any(${underWayStatuses}::text[])`;

/** Whether a referral is overdue, as on the worklists: its answer is late, or the next step after it was accepted. */
export const isOverdueSql = (now: Date) => sql`coalesce(case when status = 'requested' then due_at < ${now}
  when ${isOpenSql} then next_date < (${now}::timestamptz at time zone 'Europe/London')::date end, false)`;

/** Need is unmet if support has not started this long after sending. */
export const unmetAfter = '28 days';
