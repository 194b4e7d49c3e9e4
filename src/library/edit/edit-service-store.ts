import { anyOfValuesSql, type Db, type Trx } from '../../platform/database/index.ts';
import type { Service } from '../model/service.ts';

/** The service as it is stored, without what answers add to it. */
export async function findStoredService(db: Db, id: string): Promise<Service | undefined> {
  if (id.includes('\0')) return undefined;
  const row = await db
    .selectFrom('service_documents')
    .select('document')
    .where('service_id', '=', id)
    .executeTakeFirst();
  return row && (JSON.parse(row.document) as Service);
}

/** When these services were last edited here. Services that an import changed since are left out. */
export async function findEditDates(db: Db, ids: readonly string[]): Promise<Map<string, Date>> {
  const rows = await db
    .selectFrom('services')
    .select(['id', 'edited_at as at'])
    .where('id', '=', anyOfValuesSql(ids))
    .where('edited_at', 'is not', null)
    .$narrowType<{ at: Date }>()
    .execute();
  return new Map(rows.map(({ id, at }) => [id, at]));
}

/** Deletes the service and all its parts. @returns false if a referral was made to it; the transaction cannot go on then. */
export async function deleteServiceUnlessReferred(trx: Trx, id: string): Promise<boolean> {
  try {
    await trx.deleteFrom('services').where('id', '=', id).execute();
    return true;
  } catch (error) {
    if ((error as { constraint?: unknown }).constraint === 'referrals_service_kept') return false;
    throw error;
  }
}

/** The library's own documents of these terms, as JSON text. */
export async function findTermDocuments(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('taxonomy_terms')
    .select(['id', 'document'])
    .where('id', '=', anyOfValuesSql(ids))
    .execute();
  return new Map(rows.map(({ id, document }) => [id, document]));
}

export async function findOrganizationDocument(trx: Trx, id: string): Promise<string | undefined> {
  const row = await trx
    .selectFrom('organizations')
    .select('document')
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.document;
}

/** Which of these ids of services at locations belong to another service. */
export async function findServiceAtLocationIdsOfOthers(
  trx: Trx,
  serviceId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await trx
    .selectFrom('service_at_locations')
    .select('id')
    .where('id', '=', anyOfValuesSql(ids))
    .where('service_id', '<>', serviceId)
    .execute();
  return new Set(rows.map(({ id }) => id));
}
