import { sql } from 'kysely';
import { anyOfValuesSql, type Db, type Trx } from '../../platform/database/index.ts';
import type { Change } from '../model/change.ts';
import type { Service } from '../model/service.ts';

/*
 * The location of a refuge is confidential. The places of a service that is marked so are not stored at all, so no answer, feed,
 * map, search or history can reveal them.
 */

/** Those of these services whose location is confidential. */
async function listServicesWithConfidentialPlace(db: Db, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .selectFrom('service_referral_settings')
    .select('service_id as id')
    .where('service_id', '=', anyOfValuesSql(ids))
    .where('location_confidential', '=', true)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/**
 * Those of these organisations that run a service whose location is confidential. The organisation may list that
 * location among its own.
 */
async function listOrganizationsWithConfidentialPlace(db: Db, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .selectFrom('service_referral_settings as r')
    .innerJoin('services as s', 's.id', 'r.service_id')
    .select('s.organization_id as id')
    .distinct()
    .where('s.organization_id', '=', anyOfValuesSql(ids))
    .where('r.location_confidential', '=', true)
    .$narrowType<{ id: string }>()
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Which places of a service are hidden: its own and its organisation's, or only its organisation's. */
export type HiddenPlaces = 'all' | 'of-organization';

/** Which places of these services are hidden, by their ids. */
export async function findHiddenPlaces(
  db: Db,
  services: readonly { id: string; organizationId: string | null }[],
): Promise<Map<string, HiddenPlaces>> {
  const confidential = await listServicesWithConfidentialPlace(
    db,
    services.map(({ id }) => id),
  );
  // A service that is stored for the first time cannot be marked yet, and one may have moved to another organisation.
  const organizations = await listOrganizationsWithConfidentialPlace(
    db,
    services.flatMap(({ organizationId }) => organizationId ?? []),
  );
  for (const { id, organizationId } of services)
    if (confidential.has(id) && organizationId !== null) organizations.add(organizationId);
  const hidden = new Map<string, HiddenPlaces>();
  for (const { id, organizationId } of services) {
    if (confidential.has(id)) hidden.set(id, 'all');
    else if (organizationId !== null && organizations.has(organizationId)) hidden.set(id, 'of-organization');
  }
  return hidden;
}

/** The other services of the organisation of a service. */
export async function listOtherServicesOfOrganization(db: Db, serviceId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('services as s')
    .innerJoin('services as other', 'other.organization_id', 's.organization_id')
    .select('other.id')
    .where('s.id', '=', serviceId)
    .where('other.id', '<>', serviceId)
    .orderBy('other.id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Another service of the same organisation, and whether it shows its place. */
export type RelatedService = { id: string; name: string; showsPlace: boolean; isConfidential: boolean };

/**
 * The other services of the organisation that show a place, or whose place is confidential. The site does not store
 * confidential places, so an editor must say whether two services are at the same one.
 */
export async function listRelatedServicesWithPlaces(db: Db, serviceId: string): Promise<RelatedService[]> {
  const { rows } = await sql<RelatedService>`
    select other.id, other.name, coalesce(r.location_confidential, false) as "isConfidential",
      exists (select from service_at_locations l where l.service_id = other.id) as "showsPlace"
    from services s join services other on other.organization_id = s.organization_id and other.id <> s.id
      left join service_referral_settings r on r.service_id = other.id
    where s.id = ${serviceId} order by other.name, other.id`.execute(db);
  return rows.filter(({ showsPlace, isConfidential }) => showsPlace || isConfidential);
}

/** Names of fields, at any depth, that reveal where a service is. Feeds have more of them than the standard. */
const placeFieldNames: ReadonlySet<string> = new Set([
  'service_at_locations',
  'service_at_location_id',
  'locations',
  'location',
  'location_id',
  'addresses',
  'address',
  'postal_code',
  'postcode',
  'latitude',
  'longitude',
  'geo',
]);
/** The area that a service covers does not reveal where it is. */
const areaFields: ReadonlySet<string> = new Set(['service_areas', 'service_area']);

/** The service without its places and those of its organisation, or without only those of its organisation. */
export function withoutPlaces(service: Service, hidden: HiddenPlaces): Service {
  if (hidden === 'all') return withoutFields(service) as Service;
  const { organization, ...rest } = service;
  if (!organization) return rest;
  const { locations: _, ...known } = organization;
  return { ...rest, organization: known };
}

function withoutFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutFields);
  if (typeof value !== 'object' || value === null) return value;
  const harmless = Object.entries(value).filter(([name]) => !placeFieldNames.has(name));
  return Object.fromEntries(
    harmless.map(([name, each]) => [name, areaFields.has(name) ? each : withoutFields(each)]),
  );
}

/** The fields of a history that can reveal where a service is. */
const historyFieldsWithPlace: readonly string[] = [
  ...placeFieldNames,
  'organization',
  'phones',
  'contacts',
  'attributes',
];

/** The changes, without fields that reveal a confidential location. */
export async function withoutConfidentialPlaces(db: Db, changes: readonly Change[]): Promise<Change[]> {
  const ids = changes.flatMap((change) => (change.resourceType === 'service' ? change.resourceId : []));
  const stored =
    ids.length === 0
      ? []
      : await db
          .selectFrom('services')
          .select(['id', 'organization_id as organizationId'])
          .where('id', '=', anyOfValuesSql(ids))
          .execute();
  const hidden = await findHiddenPlaces(db, stored);
  if (hidden.size === 0) return [...changes];
  return changes.map((change) => {
    const which = change.resourceType === 'service' ? hidden.get(change.resourceId) : undefined;
    if (which === undefined) return change;
    const revealsPlace = ({ name }: { name: string }) =>
      which === 'all' ? historyFieldsWithPlace.includes(name) : name === 'organization';
    return { ...change, fields: change.fields.filter((field) => !revealsPlace(field)) };
  });
}

/** Empties the values in the history that reveal where the service was. The lines stay. */
export async function erasePlacesFromHistory(
  trx: Trx,
  serviceId: string,
  hidden: HiddenPlaces,
): Promise<void> {
  await trx
    .updateTable('library_changes')
    .set({ previous_value: '', replacement_value: '' })
    .where('resource_type', '=', 'service')
    .where('resource_id', '=', serviceId)
    .where('field_name', 'in', hidden === 'all' ? [...historyFieldsWithPlace] : ['organization'])
    .execute();
}
