import { type RawBuilder, sql } from 'kysely';
import type { NewAccount, Role } from '../../accounts/index.ts';
import type { Db } from '../../platform/database/index.ts';
import { documentColumns, fullDocument, type StoredDocument } from './services-store.ts';

/** How much of an organisation: in short, in full with what its services are called, or with these in full. */
export type OrganizationForm = 'summary' | 'document' | 'with-services';

type OrganizationRow = { organization: string; services: object[] | null };

/** The active services of the organisation `s`, by name; null where there are none. */
const servicesOf = (service: RawBuilder<unknown>) => sql`(
  select json_agg(${service} order by v.sort_name, v.id)
  from services v join service_documents d on d.service_id = v.id
  where v.organization_id = s.id and v.status = 'active')`;

/** What is read of an organisation, which is called `s`: {@link organizationContent} makes an answer of it. */
export const organizationColumns: Readonly<Record<OrganizationForm, RawBuilder<unknown>>> = {
  summary: sql`json_build_object('organization', s.summary, 'services', null)`,
  document: sql`json_build_object('organization', s.document,
    'services', ${servicesOf(sql`json_build_object('id', v.id, 'name', v.name, 'status', 'active')`)})`,
  'with-services': sql`json_build_object('organization', s.document,
    'services', ${servicesOf(sql`(select to_json(row) from (select ${documentColumns(sql`d.service_id`)}) as row)`)})`,
};

export function organizationContent(
  form: OrganizationForm,
  { organization, services }: OrganizationRow,
): object {
  if (services === null) return JSON.parse(organization);
  const full = form === 'with-services' ? (services as StoredDocument[]).map(fullDocument) : services;
  return { ...JSON.parse(organization), services: full };
}

/** An organisation with its services. */
export async function findOrganizationAnswer(
  db: Db,
  id: string,
  form: OrganizationForm,
): Promise<object | undefined> {
  if (id.includes('\0')) return undefined;
  const { rows } = await sql<{ content: OrganizationRow }>`
    select ${organizationColumns[form]} as content from organizations s where s.id = ${id}`.execute(db);
  return rows[0] && organizationContent(form, rows[0].content);
}

/** Organisations whose names are written much like this one, the most alike first. */
export async function listSimilarOrganizations(
  db: Db,
  name: string,
  limit: number,
): Promise<{ id: string; name: string; alike: number }[]> {
  const { rows } = await sql<{ id: string; name: string; alike: number }>`
    select id, name, similarity(lower(name), lower(${name})) as alike from organizations
    where similarity(lower(name), lower(${name})) > 0.3
    order by alike desc, name limit ${limit}`.execute(db);
  return rows;
}

/**
 * The organisation with this id, or with exactly this name. A name that several organisations share finds none of
 * them: an account linked to the wrong one would read its referrals.
 */
export async function findOrganization(
  db: Db,
  idOrName: string,
): Promise<{ id: string; name: string } | undefined> {
  if (idOrName.includes('\0')) return undefined;
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from organizations
    where id = ${idOrName} or sort_name = plain_text(${idOrName}) and name = ${idOrName}
    order by id <> ${idOrName} limit 2`.execute(db);
  return rows[0]?.id === idOrName || rows.length === 1 ? rows[0] : undefined;
}

/**
 * The organisation that somebody means who names it for an account: the library's with this id or exact name, or else,
 * for those who only refer, one of this name. Undefined where the library must have it and does not: a provider answers
 * for the services of an organisation of the library.
 */
export async function findOrganisationForAccount(
  db: Db,
  roles: readonly Role[],
  named: string,
): Promise<NewAccount['organisation']> {
  const known = await findOrganization(db, named);
  if (known) return { name: known.name, libraryOrganizationId: known.id };
  return roles.includes('provider') ? undefined : { name: named };
}
