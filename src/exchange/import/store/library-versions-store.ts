import { sql } from 'kysely';
import { canSignInSql } from '../../../accounts/index.ts';
import type { Db } from '../../../platform/database/index.ts';
import type { StandaloneKind } from '../model/record.ts';

export type StoredVersion = {
  id: string;
  contentHash: string;
  lastModified: Date;
  /** When its availability was last reported. */
  availabilitySetAt: Date | null;
  sourceId: string | null;
  sourceHash: string | null;
  /** When somebody here last edited it, unless an import changed it since. */
  editedAt: Date | null;
};

/** The stored services with these ids, as far as an import compares with them. */
export async function findStoredVersions(
  db: Db,
  ids: readonly string[],
): Promise<Map<string, StoredVersion>> {
  const { rows } = await sql<StoredVersion>`
    select s.id, d.content_hash as "contentHash", s.last_modified as "lastModified", s.source_id as "sourceId",
      s.source_hash as "sourceHash", s.edited_at as "editedAt",
      c.set_at as "availabilitySetAt"
    from services s join service_documents d on d.service_id = s.id left join service_capacity c on c.service_id = s.id
    where s.id = any(${ids})`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

/** The services whose organisation has providers here, who answer their referrals; each with that organisation. */
export async function findServicesWithProviders(
  db: Db,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: string; organizationId: string }>`
    select s.id, s.organization_id as "organizationId" from services s
    where s.id = any(${ids}) and exists (
      select from organisations o join accounts a on a.organisation_id = o.id
      where o.library_organization_id = s.organization_id and 'provider' = any(a.roles)
        and ${canSignInSql('a')})`.execute(db);
  return new Map(rows.map(({ id, organizationId }) => [id, organizationId]));
}

/** The services in full as JSON texts, by id. */
export async function findDocuments(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: string; document: string }>`
    select service_id as id, document from service_documents where service_id = any(${ids})`.execute(db);
  return new Map(rows.map(({ id, document }) => [id, document]));
}

/** The services in full as JSON texts, each with the hash of its content. */
export async function findContents(
  db: Db,
  ids: readonly string[],
): Promise<Map<string, { document: string; hash: string }>> {
  const { rows } = await sql<{ id: string; document: string; hash: string }>`
    select service_id as id, document, content_hash as hash from service_documents where service_id = any(${ids})`.execute(
    db,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

export const standaloneTables = {
  organization: 'organizations',
  taxonomy: 'taxonomies',
  taxonomy_term: 'taxonomy_terms',
} as const satisfies Readonly<Record<StandaloneKind, string>>;

/** The stored documents with these ids, as JSON texts by id. */
export async function findStandaloneDocuments(
  db: Db,
  kind: StandaloneKind,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; document: string }>`
    select id, document from ${sql.table(standaloneTables[kind])} where id = any(${ids})`.execute(db);
  return new Map(rows.map(({ id, document }) => [id, document]));
}
