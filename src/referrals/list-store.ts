import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '../accounts/index.ts';
import type { Db } from '../platform/database/index.ts';
import { type WaysOfSeeing, waysOfSeeing } from './access.ts';
import { waitsForReferrer } from './own-turn-store.ts';
import type { Draft, Referral } from './referral.ts';
import { columns, fromRow, type Row } from './store.ts';

export type ListFilter = {
  /** Which referrals the caller may see at all. */
  ways: WaysOfSeeing;
  statuses?: readonly string[] | undefined;
  serviceId?: string | undefined;
  updatedAfter?: Date | undefined;
  /** Only those that should have been answered before this moment. */
  dueBefore?: Date | undefined;
  /** Only those that wait for this account, as one who referred. */
  waitsFor?: string | undefined;
  patient?: PatientFilter | undefined;
  beforeId?: string | undefined;
  limit: number;
};

/** One person, by keyed hashes of who they are. */
export type PatientFilter = {
  numberKey?: Buffer | undefined;
  familyKey?: Buffer | undefined;
  postcode?: string | undefined;
};

/**
 * Newest first. Ids begin with the time they were made, so their order is the order of making.
 *
 * Each way of seeing, and each status, is a query of its own for the newest ids, which an index alone answers; asked as
 * one (“made or received”, “one of these statuses”) PostgreSQL reads the whole table. Of the indexes (migrations 0005, 0019)
 * - made by the organisation: `referrals_made`; by the account: `referrals_made_by_account`; received:
 *   `referrals_received`; everything, for an operator: the primary key;
 * - and where a list is filtered: by status `…_status`, by service `…_service`, by the last change `…_updated`, by person
 *   `referrals_same_number` and `referrals_same_family`.
 */
export async function listReferrals(db: Db, filter: ListFilter): Promise<(Referral | Draft)[]> {
  const newest = newestIds(filter);
  if (!newest) return [];
  const { rows } = await sql<Row>`
    with newest as materialized (${newest})
    select ${columns} from newest join referrals using (id) order by id desc`.execute(db);
  return rows.map(fromRow);
}

/** The query for the ids of a list; none where the caller can see nothing. */
export function newestIds(filter: ListFilter): RawBuilder<unknown> | undefined {
  const filters = filtersOf(filter);
  const statuses = filter.statuses
    ? [...new Set(filter.statuses)].map((each) => [sql`status = ${each}`])
    : [[]];
  const newest = conditionsOf(filter.ways)
    .flatMap((way) => statuses.map((status) => [way, ...status, ...filters]))
    .map(
      (conditions) => sql`(select id from referrals where ${sql.join(conditions, sql` and `)}
      order by id desc limit ${filter.limit})`,
    );
  if (newest.length === 0) return undefined;
  return sql`select id from (${sql.join(newest, sql` union `)}) as seen order by id desc limit ${filter.limit}`;
}

/** The ids of the referrals that a caller may see, as a query for use within another; it agrees with `maySee`. */
export function idsVisibleTo(caller: Caller): RawBuilder<unknown> {
  const ways = conditionsOf(waysOfSeeing(caller));
  if (ways.length === 0) return sql`select id from referrals where false`;
  return sql.join(
    ways.map((way) => sql`select id from referrals where ${way}`),
    sql` union `,
  );
}

/** A condition for each of the ways. */
function conditionsOf(ways: WaysOfSeeing): RawBuilder<unknown>[] {
  const conditions: RawBuilder<unknown>[] = [];
  if (ways.everything) conditions.push(sql`requested_at is not null`);
  if (ways.madeByOrganisation !== null)
    conditions.push(sql`referrer_organisation_id = ${ways.madeByOrganisation}`);
  if (ways.madeByAccount !== null)
    conditions.push(sql`referrer_account_id = ${ways.madeByAccount} and referrer_organisation_id is null`);
  if (ways.receivedBy !== null) conditions.push(sql`service_organization_id = ${ways.receivedBy}`);
  return conditions;
}

function filtersOf(filter: ListFilter): RawBuilder<unknown>[] {
  const { serviceId, updatedAfter, dueBefore, waitsFor, beforeId, patient = {} } = filter;
  const { numberKey, familyKey, postcode } = patient;
  const conditions = [
    serviceId !== undefined && sql`service_id = ${serviceId}`,
    updatedAfter && sql`updated_at > ${updatedAfter}`,
    dueBefore && sql`status = 'requested' and due_at < ${dueBefore}`,
    waitsFor !== undefined && waitsForReferrer(waitsFor),
    beforeId !== undefined && sql`id < ${beforeId}`,
    numberKey && sql`patient_number_key = ${numberKey}`,
    familyKey && sql`patient_family_key = ${familyKey}`,
    postcode !== undefined &&
      sql`upper(replace(content #>> '{patient,address,postcode}', ' ', '')) = ${postcode}`,
  ];
  return conditions.filter((each) => each !== false && each !== undefined);
}
