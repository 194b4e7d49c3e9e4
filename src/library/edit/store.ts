import { sql } from 'kysely';
import type { Db, Trx } from '../../platform/database/index.ts';
import type { Service } from '../model/service.ts';

/** The service as it is stored, without what answers say of it besides. */
export async function findStoredService(db: Db, id: string): Promise<Service | undefined> {
  if (id.includes('\0')) return undefined;
  const { rows } = await sql<{ document: string }>`
    select document from service_documents where service_id = ${id}`.execute(db);
  return rows[0] && (JSON.parse(rows[0].document) as Service);
}

/** After the service was saved: its next import finds a service that somebody here had the last word on. */
export async function recordEdit(trx: Trx, id: string, at: Date): Promise<void> {
  await sql`update services set edited_at = ${at} where id = ${id}`.execute(trx);
}

/** When somebody here had the last word on these services; those that an import had it on are left out. */
export async function findEditDates(db: Db, ids: readonly string[]): Promise<Map<string, Date>> {
  const { rows } = await sql<{ id: string; at: Date }>`
    select id, edited_at as at from services where id = any(${[...ids]}) and edited_at is not null`.execute(
    db,
  );
  return new Map(rows.map(({ id, at }) => [id, at]));
}

/** Deletes the service and all that hangs on it. @returns false where a referral names it. */
export async function deleteServiceUnlessReferred(trx: Trx, id: string): Promise<boolean> {
  try {
    await sql`delete from services where id = ${id}`.execute(trx);
    return true;
  } catch (error) {
    if ((error as { constraint?: unknown }).constraint === 'referrals_service_kept') return false;
    throw error;
  }
}

/** The terms and taxonomies of these ids as the library has them, as JSON text. */
export async function findTermDocuments(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; document: string }>`
    select id, document from taxonomy_terms where id = any(${[...ids]})`.execute(db);
  return new Map(rows.map(({ id, document }) => [id, document]));
}

export async function findOrganizationDocument(trx: Trx, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ document: string }>`
    select document from organizations where id = ${id}`.execute(trx);
  return rows[0]?.document;
}

/** Which of these ids are those of another service's locations. */
export async function findForeignLocationIds(
  trx: Trx,
  serviceId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from service_at_locations where id = any(${[...ids]}) and service_id <> ${serviceId}`.execute(
    trx,
  );
  return new Set(rows.map(({ id }) => id));
}
