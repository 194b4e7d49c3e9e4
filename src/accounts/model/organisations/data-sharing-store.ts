import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from '../../../platform/database/index.ts';
import { requireById } from '../../../platform/ids/index.ts';
import type { DataSharingDetails } from './data-sharing.ts';

export type OrganisationWithDetails = DataSharingDetails & {
  id: string;
  name: string;
  libraryOrganizationId: string | null;
};

const columnsSql = sql`
  id, name, library_organization_id as "libraryOrganizationId", sharing_role as "sharingRole",
  ico_number as "icoNumber", dspt_status as "dsptStatus", dspt_until::text as "dsptUntil", agreement,
  agreement_from::text as "agreementFrom", agreement_until::text as "agreementUntil", mailbox`;

/** The organisations whose agreement or toolkit status ends soonest come first. @param name only names that contain it */
export async function listDataSharingDetails(
  db: Db,
  { name, limit }: { name?: string | undefined; limit: number },
): Promise<OrganisationWithDetails[]> {
  const named = name === undefined ? sql`` : sql`where position(lower(${name}) in lower(name)) > 0`;
  const { rows } = await sql<OrganisationWithDetails>`
    select ${columnsSql} from organisations ${named}
    order by least(agreement_until, dspt_until) nulls last, lower(name), id limit ${limit}`.execute(db);
  return rows;
}

export async function findDataSharingDetails(
  db: Db,
  id: string,
): Promise<OrganisationWithDetails | undefined> {
  const { rows } = await sql<OrganisationWithDetails>`
    select ${columnsSql} from organisations where id = ${id}`.execute(db);
  return rows[0];
}

/** @throws Problem `not-found`. */
export function requireDataSharingDetails(db: Db, id: string): Promise<OrganisationWithDetails> {
  return requireById(id, (each) => findDataSharingDetails(db, each));
}

/** @returns false if there is no such organisation. */
export async function updateDataSharingDetails(
  trx: Trx,
  id: string,
  details: DataSharingDetails,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('organisations')
    .set({
      sharing_role: details.sharingRole,
      ico_number: details.icoNumber,
      dspt_status: details.dsptStatus,
      dspt_until: details.dsptUntil,
      agreement: details.agreement,
      agreement_from: details.agreementFrom,
      agreement_until: details.agreementUntil,
      mailbox: details.mailbox,
    })
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** When the sharing agreement with an organisation of the library ends, if that is by this day: such as 2027-06-30. */
export async function findAgreementEnd(
  db: Db,
  libraryOrganizationId: string,
  day: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ until: string | null }>`
    select min(agreement_until)::text as until from organisations
    where library_organization_id = ${libraryOrganizationId} and agreement_until <= ${day}::date`.execute(db);
  return rows[0]?.until ?? undefined;
}

const endsBySql = (day: string): RawBuilder<boolean> =>
  sql`(agreement_until <= ${day}::date or dspt_until <= ${day}::date)`;

/** How many organisations have an agreement or a toolkit status that has ended by this day. */
export async function countExpiringBy(db: Db, day: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from organisations where ${endsBySql(day)}`.execute(db);
  return rows[0]!.count;
}

/** Organisations whose agreement or toolkit status expires by this day and that no warning has named yet. It records the warning. */
export async function takeExpiringAgreements(trx: Trx, day: string): Promise<OrganisationWithDetails[]> {
  const { rows } = await sql<OrganisationWithDetails>`
    update organisations set
      agreement_warned_of = case when agreement_until <= ${day}::date then agreement_until end,
      dspt_warned_of = case when dspt_until <= ${day}::date then dspt_until end
    where (agreement_until <= ${day}::date and agreement_warned_of is distinct from agreement_until)
      or (dspt_until <= ${day}::date and dspt_warned_of is distinct from dspt_until)
    returning ${columnsSql}`.execute(trx);
  return rows.toSorted((one, other) => one.name.localeCompare(other.name));
}
