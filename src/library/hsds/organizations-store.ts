import { type RawBuilder, sql } from 'kysely';
import type { NewAccount, Role } from '../../accounts/index.ts';
import type { Db } from '../../platform/database/index.ts';
import { documentColumnsSql, fullDocument, type StoredDocument } from './services-store.ts';

/** An organisation in short, in full with the names of its services, or with its services in full. */
export type OrganizationDetail = 'summary' | 'document' | 'with-services';

type OrganizationRow = { organization: string; services: object[] | null };

/** The active services `v` of the organisation `s`, by name; null if there are none. */
const activeServicesSql = (service: RawBuilder<unknown>) => sql`(
  select json_agg(${service} order by v.sort_name, v.id)
  from services v join service_documents d on d.service_id = v.id
  where v.organization_id = s.id and v.status = 'active')`;

/** What a query reads of the organisation `s`, so that {@link organizationContent} can make an answer of it. */
export const organizationColumnsSql: Readonly<Record<OrganizationDetail, RawBuilder<unknown>>> = {
  summary: sql`json_build_object('organization', s.summary, 'services', null)`,
  document: sql`json_build_object('organization', s.document,
    'services', ${activeServicesSql(sql`json_build_object('id', v.id, 'name', v.name, 'status', 'active')`)})`,
  'with-services': sql`json_build_object('organization', s.document,
    'services', ${activeServicesSql(sql`(select to_json(row) from (select ${documentColumnsSql(sql`d.service_id`)}) as row)`)})`,
};

export function organizationContent(
  detail: OrganizationDetail,
  { organization, services }: OrganizationRow,
): object {
  if (services === null) return JSON.parse(organization);
  const full = detail === 'with-services' ? (services as StoredDocument[]).map(fullDocument) : services;
  return { ...JSON.parse(organization), services: full };
}

/** An organisation with its services. */
export async function findOrganizationAnswer(
  db: Db,
  id: string,
  detail: OrganizationDetail,
): Promise<object | undefined> {
  if (id.includes('\0')) return undefined;
  const { rows } = await sql<{ content: OrganizationRow }>`
    select ${organizationColumnsSql[detail]} as content from organizations s where s.id = ${id}`.execute(db);
  return rows[0] && organizationContent(detail, rows[0].content);
}

/** Organisations with similar names, the most similar first. */
export function listSimilarOrganizations(
  db: Db,
  name: string,
  limit: number,
): Promise<{ id: string; name: string; similarity: number }[]> {
  const similarity = sql<number>`similarity(lower(name), lower(${name}))`;
  return db
    .selectFrom('organizations')
    .select(['id', 'name', similarity.as('similarity')])
    .where(similarity, '>', 0.3)
    .orderBy('similarity', 'desc')
    .orderBy('name')
    .limit(limit)
    .execute();
}

/**
 * The organisation with this id, or with exactly this name. A name that several organisations share finds none: an account
 * linked to the wrong one would read its referrals.
 */
export async function findOrganization(
  db: Db,
  idOrName: string,
): Promise<{ id: string; name: string } | undefined> {
  if (idOrName.includes('\0')) return undefined;
  const rows = await db
    .selectFrom('organizations')
    .select(['id', 'name'])
    .where(sql<boolean>`(id = ${idOrName} or (sort_name = plain_text(${idOrName}) and name = ${idOrName}))`)
    .orderBy(sql`id <> ${idOrName}`)
    .limit(2)
    .execute();
  return rows[0]?.id === idOrName || rows.length === 1 ? rows[0] : undefined;
}

/**
 * The organisation that an account is to belong to, by its id or name. Providers need one of the library, because they
 * answer for its services; others may name any. Undefined if a provider's is not in the library.
 */
export async function findOrganisationForAccount(
  db: Db,
  roles: readonly Role[],
  idOrName: string,
): Promise<NewAccount['organisation']> {
  const known = await findOrganization(db, idOrName);
  if (known) return { name: known.name, libraryOrganizationId: known.id };
  return roles.includes('provider') ? undefined : { name: idOrName };
}
