import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import { saidMembers, withMembers } from '../search/members-store.ts';
import { namedListing } from '../search/named-store.ts';
import type { Listing } from '../search/search-listing.ts';

/** How much of an organisation: in short, in full with what its services are called, or with these in full. */
export type OrganizationForm = 'summary' | 'document' | 'with-services';

export function organizationsListing(db: Db, form: OrganizationForm): Listing {
  return namedListing(db, `organizations ${form}`, {
    table: 'organizations',
    where: [],
    content: contents[form],
  });
}

/** An organisation with its services, as JSON text. */
export async function findOrganizationAnswer(
  db: Db,
  id: string,
  form: OrganizationForm,
): Promise<string | undefined> {
  if (id.includes('\0')) return undefined;
  const { rows } = await sql<{ content: string }>`
    select ${contents[form]} as content from organizations s where s.id = ${id}`.execute(db);
  return rows[0]?.content;
}

/** The active ones, by name: those that are listed; nothing where there are none. */
function withServices(service: RawBuilder<string>): RawBuilder<string> {
  return sql`left(s.document, -1) || coalesce((
    select ',"services":[' || string_agg(${service}, ',' order by v.sort_name, v.id) || ']'
    from services v join service_documents d on d.service_id = v.id
    where v.organization_id = s.id and v.status = 'active'), '') || '}'`;
}

const contents: Readonly<Record<OrganizationForm, RawBuilder<string>>> = {
  summary: sql`s.summary`,
  document: withServices(
    sql`'{"id":' || to_json(v.id)::text || ',"name":' || to_json(v.name)::text || ',"status":"active"}'`,
  ),
  'with-services': withServices(withMembers(sql`d.document`, saidMembers(sql`d.service_id`))),
};
