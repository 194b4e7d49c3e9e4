import { sql } from 'kysely';
import { anyOf, type Db, type Trx } from '../../platform/database/index.ts';
import type { Change } from '../model/change.ts';
import type { Service } from '../model/service.ts';

/*
 * Where a refuge is must not be found. The places of a service with that mark are not stored at all, so that no answer, feed, map,
 * search or history can tell them. This site never had what it does not keep.
 */

/** Which of these services must not be found. */
export async function listConfidentialPlaces(db: Db, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .selectFrom('service_referral_settings')
    .select('service_id as id')
    .where('service_id', '=', anyOf(ids))
    .where('location_confidential', '=', true)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** The service without its places and those of its organisation. */
export function withoutPlaces(service: Service): Service {
  const { service_at_locations: _, organization, ...rest } = service;
  if (!organization) return rest;
  const { locations: __, ...known } = organization;
  return { ...rest, organization: known };
}

/** The fields of a history that can tell where a service is. */
const placeFields = ['service_at_locations', 'organization'];

/** The changes without what tells where a service is that must not be found. */
export async function withoutConfidentialPlaces(db: Db, changes: readonly Change[]): Promise<Change[]> {
  const services = changes.filter(({ resourceType }) => resourceType === 'service');
  const hidden = await listConfidentialPlaces(
    db,
    services.map(({ resourceId }) => resourceId),
  );
  if (hidden.size === 0) return [...changes];
  return changes.map((change) =>
    change.resourceType === 'service' && hidden.has(change.resourceId)
      ? { ...change, fields: change.fields.filter(({ name }) => !placeFields.includes(name)) }
      : change,
  );
}

/** Removes from the history what tells where the service was. The lines stay, without their values. */
export async function erasePlacesFromHistory(trx: Trx, serviceId: string): Promise<void> {
  await trx
    .updateTable('library_changes')
    .set({ previous_value: '', replacement_value: '' })
    .where('resource_type', '=', 'service')
    .where('resource_id', '=', serviceId)
    .where('field_name', 'in', placeFields)
    .execute();
}

/** So that the next import brings the places back, although nothing has changed at the source. */
export async function forgetSource(trx: Trx, serviceId: string): Promise<void> {
  await sql`update services set source_hash = null where id = ${serviceId}`.execute(trx);
}
