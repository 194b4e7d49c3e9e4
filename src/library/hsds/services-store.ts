import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import { capacityOf, newestUpdate, readReportedAvailability } from '../model/availability.ts';
import type { Point } from '../postcodes/postcodes-store.ts';
import type { DatedContent } from './etag.ts';

/** A service as its source gives it, and what this site adds to it. */
export type StoredDocument = {
  document: string;
  service_capacity?: object | null | undefined;
  responsiveness?: object | null | undefined;
  /** Whether the searched place is in an area that the service covers; null if its areas are not outlined. */
  in_service_area?: boolean | null;
};

/** The latest availability of the service. @param id of the service */
export const availabilityJsonSql = (id: RawBuilder<unknown>) => sql<object | null>`(
  select json_strip_nulls(json_build_object('status', c.status, 'waiting_time', c.waiting_time,
    'updated', to_char(c.set_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')))
  from service_capacity c where c.service_id = ${id})`;

/** How the service answers referrals. @param id of the service */
export const responsivenessJsonSql = (id: RawBuilder<unknown>) => sql<object | null>`(
  select json_strip_nulls(json_build_object('median_days', x.median_days, 'share_accepted', x.share_accepted,
    'referrals_90_days', x.referrals_90_days, 'commonest_rejection', x.rejection_code))
  from service_responsiveness x where x.service_id = ${id})`;

/** The columns of {@link StoredDocument}, for a query in which `d` is `service_documents`. @param id of the service */
export const documentColumnsSql = (id: RawBuilder<unknown>) =>
  sql`d.document, ${availabilityJsonSql(id)} as service_capacity, ${responsivenessJsonSql(id)} as responsiveness`;

/** Whether a place lies within an outline and in none of its holes. */
const containsPointSql = (
  extent: RawBuilder<unknown>,
  holes: RawBuilder<unknown>,
  point: RawBuilder<unknown>,
) =>
  sql<boolean>`${extent} @> ${point} and not exists (select from unnest(${holes}) as hole where hole @> ${point})`;

const coversPlaceSql = (id: RawBuilder<unknown>, { longitude, latitude }: Point) => {
  const here = sql`point(${longitude}::float8, ${latitude}::float8)`;
  return sql<boolean | null>`(
    select case when bool_or(inside) then true when bool_or(unknown) is not false then null else false end
    from (
      select a.extent is null as unknown, ${containsPointSql(sql`a.extent`, sql`a.holes`, here)} as inside
      from service_area_extents a where a.service_id = ${id}) as area)`;
};

/** The service in full, as the API answers it. */
export function fullDocument(row: StoredDocument): Record<string, unknown> {
  const service = summaryDocument(row);
  return { ...service, ...ownCapacities(service) };
}

/** Its short form, which has single values only. */
export function summaryDocument({ document, ...added }: StoredDocument): Record<string, unknown> {
  const known = Object.entries(added).filter(([, value]) => value !== null && value !== undefined);
  return { ...JSON.parse(document), ...Object.fromEntries(known) };
}

/** The availability that was set here, in HSDS 3.1’s form too, unless the source has published a newer count. */
function ownCapacities({ id, service_capacity, capacities = [] }: Record<string, unknown>): object {
  const stated = readReportedAvailability(service_capacity);
  const counted = newestUpdate(capacities);
  if (!stated || (counted && counted >= stated.setAt)) return {};
  const ours = capacityOf(id as string, service_capacity as Parameters<typeof capacityOf>[1]);
  return { capacities: [...(Array.isArray(capacities) ? capacities : []), ours] };
}

/** The service as JSON text. */
export function documentText(row: StoredDocument): string {
  const { document, ...added } = row;
  const isAsStored = Object.values(added).every((value) => value === null || value === undefined);
  return isAsStored ? document : JSON.stringify(fullDocument(row));
}

/** The service in full as JSON text, with any status, and whether it covers a place. */
export async function findServiceDocument(db: Db, id: string, place?: Point): Promise<string | undefined> {
  if (id.includes('\0')) return undefined;
  const area = place ? coversPlaceSql(sql`d.service_id`, place) : sql`null`;
  const { rows } = await sql<StoredDocument>`
    select ${documentColumnsSql(sql`d.service_id`)}, ${area} as in_service_area
    from service_documents d where d.service_id = ${id}`.execute(db);
  return rows[0] && documentText(rows[0]);
}

/** As {@link findServiceDocument}, with its latest changes as HSDS's `metadata`, and when it was last changed here. */
export async function findServiceWithHistory(db: Db, id: string): Promise<DatedContent | undefined> {
  if (id.includes('\0')) return undefined;
  const { rows } = await sql<StoredDocument & { updatedAt: Date }>`
    select ${documentColumnsSql(sql`s.id`)}, s.updated_at as "updatedAt"
    from services s join service_documents d on d.service_id = s.id where s.id = ${id}`.execute(db);
  if (!rows[0]) return undefined;
  const { updatedAt, ...row } = rows[0];
  return { content: withMetadata(documentText(row), await findMetadata(db, id)), updatedAt };
}

/** Services in full, by their ids. */
export async function findServiceDocuments(
  db: Db,
  ids: readonly string[],
): Promise<Map<string, Record<string, unknown>>> {
  const { rows } = await sql<StoredDocument & { id: string }>`
    select d.service_id as id, ${documentColumnsSql(sql`d.service_id`)}
    from service_documents d where d.service_id = any(${[...ids]})`.execute(db);
  return new Map(rows.map(({ id, ...row }) => [id, fullDocument(row)]));
}

/** Whether each service covers a place. Services whose areas are not outlined are left out. */
export async function findAreaCoverage(
  db: Db,
  ids: readonly string[],
  place: Point,
): Promise<Map<string, boolean>> {
  const { rows } = await sql<{ id: string; covers: boolean | null }>`
    select id, ${coversPlaceSql(sql`id`, place)} as covers from unnest(${[...ids]}::text[]) as id`.execute(
    db,
  );
  return new Map(rows.flatMap(({ id, covers }) => (covers === null ? [] : [[id, covers] as const])));
}

/** The services with an outlined area that contains this place. */
export async function listServicesCovering(db: Db, { longitude, latitude }: Point): Promise<string[]> {
  const here = sql`point(${longitude}::float8, ${latitude}::float8)`;
  const { rows } = await sql<{ id: string }>`
    select distinct service_id as id from service_area_extents
    where extent && polygon(box(${here}, ${here})) and ${containsPointSql(sql`extent`, sql`holes`, here)}`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

const maxMetadata = 100;

/**
 * The latest changes of a service in HSDS's form, the newest first. The old and new values are left empty here, because a
 * value may have been removed for privacy; only people who edit the service can read them, in its history.
 */
async function findMetadata(db: Db, serviceId: string): Promise<Metadata[]> {
  const { rows } = await sql<Metadata>`
    select id, resource_type, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as last_action_date,
      action as last_action_type, field_name, '' as previous_value, '' as replacement_value, updated_by
    from library_changes where resource_type = 'service' and resource_id = ${serviceId}
    order by number desc limit ${maxMetadata}`.execute(db);
  return rows;
}

/** An entry of HSDS's `metadata`: one field of one change. */
type Metadata = { id: string; [name: string]: string };

/**
 * Adds this site's metadata before the source's own. The stored document does not contain ours, so an export returns what
 * was imported. If a client sends back a document it read here, our metadata does not appear twice.
 */
function withMetadata(document: string, ours: readonly Metadata[]): string {
  if (ours.length === 0) return document;
  if (!document.includes('"metadata":'))
    return `${document.slice(0, -1)},"metadata":${JSON.stringify(ours)}}`;
  const { metadata = [], ...rest } = JSON.parse(document) as { metadata?: { id?: unknown }[] };
  const known = new Set<unknown>(ours.map(({ id }) => id));
  const theirs = metadata.filter(({ id }) => id === undefined || !known.has(id));
  return JSON.stringify({ ...rest, metadata: [...ours, ...theirs] });
}

export async function hasServices(db: Db): Promise<boolean> {
  return (await db.selectFrom('services').select('id').limit(1).executeTakeFirst()) !== undefined;
}
