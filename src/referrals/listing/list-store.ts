import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '../../accounts/index.ts';
import { isConfidentialReferralSql } from '../../library/index.ts';
import type { Db } from '../../platform/database/index.ts';
import { mayKnowServiceSql } from '../model/access/hide-sensitive-services-store.ts';
import { type Visibility, visibilityOf } from '../model/access/sides.ts';
import { type Draft, openStatuses, type Referral } from '../model/referral.ts';
import { type ReferralRow, referralColumnsSql, referralFromRow } from '../model/referrals-store.ts';

export type ListFilter = {
  /** Which referrals the caller may see at all. */
  visibility: Visibility;
  statuses?: readonly string[] | undefined;
  /** Only referrals to this service, without those whose service the account may not know. */
  ofService?: { id: string; accountId: string } | undefined;
  updatedAfter?: Date | undefined;
  /** Only referrals that are overdue at this time; `today` is the day in London. */
  overdueAt?: { now: Date; today: string } | undefined;
  patient?: PatientFilter | undefined;
  /** Only these. */
  ids?: readonly string[] | undefined;
  beforeId?: string | undefined;
  limit: number;
};

/** One patient, by keyed hashes. */
export type PatientFilter = {
  numberKey?: Buffer | undefined;
  familyKey?: Buffer | undefined;
  /** Only among these referrals. */
  ids?: readonly string[] | undefined;
  postcode?: string | undefined;
};

/**
 * Newest first: ids begin with the time of creation.
 *
 * Each reason to see a referral, and each status, is a query of its own, which one index answers. With `or`,
 * PostgreSQL reads the whole table. docs/schema.md says which index is for which list.
 */
export async function listReferrals(db: Db, filter: ListFilter): Promise<(Referral | Draft)[]> {
  const idQuery = newestIdsSql(filter);
  if (!idQuery) return [];
  const { rows } = await sql<ReferralRow>`
    with newest as materialized (${idQuery})
    select ${referralColumnsSql} from newest join referrals using (id) order by id desc`.execute(db);
  return rows.map(referralFromRow);
}

/** The query for the ids of a list; undefined for a caller who can see nothing. */
function newestIdsSql(filter: ListFilter): RawBuilder<unknown> | undefined {
  const filters = filterConditionsSql(filter);
  // Only open referrals are overdue.
  const wanted = filter.statuses ?? (filter.overdueAt && openStatuses);
  const statuses = wanted
    ? [...new Set(wanted)].map((each) => statusConditionsSql(each, filter.overdueAt))
    : [[]];
  const queries = visibilityConditionsSql(filter.visibility)
    .flatMap((isVisible) => statuses.map((status) => [isVisible, ...status, ...filters]))
    .map(
      (conditions) => sql`(select id from referrals where ${sql.join(conditions, sql` and `)}
      order by id desc limit ${filter.limit})`,
    );
  if (queries.length === 0) return undefined;
  return sql`select id from (${sql.join(queries, sql` union `)}) as visible order by id desc limit ${filter.limit}`;
}

/** What is overdue is found by `due_at` or by `next_date`, and each has an index. */
function statusConditionsSql(status: string, overdueAt: ListFilter['overdueAt']): RawBuilder<unknown>[] {
  const isStatus = sql`status = ${status}`;
  if (!overdueAt) return [isStatus];
  if (status === 'requested') return [isStatus, sql`due_at < ${overdueAt.now}`];
  return [isStatus, sql`next_date < ${overdueAt.today}::date`];
}

/** A subquery for the ids of the referrals that a caller may see. It must agree with `canSee`. */
export function idsVisibleToSql(caller: Caller): RawBuilder<unknown> {
  const conditions = visibilityConditionsSql(visibilityOf(caller));
  if (conditions.length === 0) return sql`select id from referrals where false`;
  return sql.join(
    conditions.map((condition) => sql`select id from referrals where ${condition}`),
    sql` union `,
  );
}

/** The patient's name and birth date in each referral with this NHS number. */
export async function listPatientDetailsByNumber(
  db: Db,
  numberKey: Buffer,
): Promise<{ id: string; family_name: string | null; birth_date: string | null }[]> {
  const { rows } = await sql<{ id: string; family_name: string | null; birth_date: string | null }>`
    select id, content #>> '{patient,family_name}' as family_name, content #>> '{patient,birth_date}' as birth_date
    from referrals where patient_number_key = ${numberKey}`.execute(db);
  return rows;
}

/** One condition for each reason why the caller may see a referral. */
export function visibilityConditionsSql(visibility: Visibility): RawBuilder<unknown>[] {
  const conditions: RawBuilder<unknown>[] = [];
  if (visibility.allSentReferrals) conditions.push(sql`requested_at is not null`);
  if (visibility.madeByOrganisation !== null)
    conditions.push(sql`referrer_organisation_id = ${visibility.madeByOrganisation}`);
  if (visibility.madeByAccount !== null)
    conditions.push(
      sql`referrer_account_id = ${visibility.madeByAccount} and referrer_organisation_id is null`,
    );
  if (visibility.receivedBy !== null)
    conditions.push(sql`service_organization_id = ${visibility.receivedBy}`);
  return conditions;
}

function filterConditionsSql(filter: ListFilter): RawBuilder<unknown>[] {
  const { ofService, updatedAfter, beforeId, patient = {} } = filter;
  const { numberKey, familyKey, ids, postcode } = patient;
  const conditions = [
    ofService && sql`service_id = ${ofService.id}`,
    ofService &&
      mayKnowServiceSql({
        accountId: ofService.accountId,
        receivedBy: filter.visibility.receivedBy,
      }),
    updatedAfter && sql`updated_at > ${updatedAfter}`,
    filter.ids && sql`id = any(${filter.ids}::uuid[])`,
    beforeId !== undefined && sql`id < ${beforeId}`,
    // A restricted referral is found only on the operators' page about a person's rights.
    filter.patient && sql`restricted_at is null`,
    numberKey && sql`patient_number_key = ${numberKey}`,
    ids && sql`id = any(${ids}::uuid[])`,
    familyKey && sql`patient_family_key = ${familyKey}`,
    postcode !== undefined && hasPostcodeSql(postcode, filter.visibility),
  ];
  return conditions.filter((each) => each !== false && each !== undefined);
}

/**
 * A search must not reveal the postcode that a service entered where it is sensitive or its place confidential, so for everybody but its
 * staff the referrer’s is searched.
 */
function hasPostcodeSql(postcode: string, { receivedBy }: Visibility): RawBuilder<unknown> {
  const isOthers = sql`(service_organization_id is distinct from ${receivedBy}
    and (select ${isConfidentialReferralSql(sql`referrals`, sql`s`)}
      from service_referral_settings s where s.service_id = referrals.service_id))`;
  return sql`upper(replace(coalesce(
    case when ${isOthers} then content #>> '{referrers_details,patient.address,postcode}' end,
    content #>> '{patient,address,postcode}'), ' ', '')) = ${postcode}`;
}
