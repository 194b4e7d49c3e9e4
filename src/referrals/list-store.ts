import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '../accounts/index.ts';
import type { Db } from '../platform/database/index.ts';
import { type WaysOfSeeing, waysOfSeeing } from './access.ts';
import type { Referral } from './referral.ts';
import { columns, fromRow, type Row } from './store.ts';

export type ListFilter = {
  /** Which referrals the caller may see at all. */
  ways: WaysOfSeeing;
  statuses?: readonly string[] | undefined;
  serviceId?: string | undefined;
  updatedAfter?: Date | undefined;
  beforeId?: string | undefined;
  limit: number;
};

/**
 * Newest first. Ids begin with the time they were made, so their order is the order of making.
 *
 * Each way of seeing is a query of its own, of the newest ids alone, because PostgreSQL answers “made or received”, asked
 * as one, by reading the whole table. These indexes (migration 0005) serve them:
 * - made by the organisation: `referrals_made`; by the account: `referrals_made_by_account`; received:
 *   `referrals_received`. Each holds the columns of every filter as well, so what a filter leaves out is passed over
 *   within the index; received and still to be answered: `referrals_waiting`.
 * - an operator's, by status: `referrals_status`; by service: `referrals_service`; by the last change:
 *   `referrals_updated_at`; without a filter: the primary key.
 */
export async function listReferrals(db: Db, filter: ListFilter): Promise<Referral[]> {
  const filters = [sql`true`, ...filtersOf(filter)];
  const newest = conditionsOf(filter.ways).map(
    (way) => sql`(select id from referrals where ${sql.join([way, ...filters], sql` and `)}
      order by id desc limit ${filter.limit})`,
  );
  if (newest.length === 0) return [];
  const { rows } = await sql<Row>`
    select ${columns} from referrals where id in (${sql.join(newest, sql` union `)})
    order by id desc limit ${filter.limit}`.execute(db);
  return rows.map(fromRow);
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
  if (ways.everything) return [sql`true`];
  const conditions: RawBuilder<unknown>[] = [];
  if (ways.madeByOrganisation !== null)
    conditions.push(sql`referrer_organisation_id = ${ways.madeByOrganisation}`);
  if (ways.madeByAccount !== null) conditions.push(sql`referrer_account_id = ${ways.madeByAccount}`);
  if (ways.receivedBy !== null) conditions.push(sql`service_organization_id = ${ways.receivedBy}`);
  return conditions;
}

function filtersOf({ statuses, serviceId, updatedAfter, beforeId }: ListFilter): RawBuilder<unknown>[] {
  const filters: RawBuilder<unknown>[] = [];
  if (statuses) filters.push(sql`status = any(${statuses})`);
  if (serviceId !== undefined) filters.push(sql`service_id = ${serviceId}`);
  if (updatedAfter) filters.push(sql`updated_at > ${updatedAfter}`);
  if (beforeId !== undefined) filters.push(sql`id < ${beforeId}`);
  return filters;
}
