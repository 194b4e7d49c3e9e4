import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import type { Point } from '../postcodes/store.ts';
import type { DatedContent } from './send-answer.ts';

/** A service's document as it is stored, and what this site says of the service beside it. */
export type StoredDocument = {
  document: string;
  service_capacity?: object | null | undefined;
  responsiveness?: object | null | undefined;
  /** Whether a place is in an area that the service serves; null where nothing outlines its areas. */
  in_service_area?: boolean | null;
};

/** Whether the service has room, which an export says too. @param id of the service */
export const availabilityJson = (id: RawBuilder<unknown>) => sql<object | null>`(
  select json_strip_nulls(json_build_object('status', c.status, 'waiting_time', c.waiting_time,
    'updated', to_char(c.set_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')))
  from service_capacity c where c.service_id = ${id})`;

/** How soon the service answers referrals. @param id of the service */
export const responsivenessJson = (id: RawBuilder<unknown>) => sql<object | null>`(
  select json_strip_nulls(json_build_object('median_days', x.median_days, 'share_accepted', x.share_accepted,
    'referrals_90_days', x.referrals_90_days, 'commonest_rejection', x.rejection_code))
  from service_responsiveness x where x.service_id = ${id})`;

/** The columns of {@link StoredDocument}, where the document is `d.document`. @param id of the service */
export const documentColumns = (id: RawBuilder<unknown>) =>
  sql`d.document, ${availabilityJson(id)} as service_capacity, ${responsivenessJson(id)} as responsiveness`;

const servesOf = (id: RawBuilder<unknown>, { longitude, latitude }: Point) => {
  const here = sql`point(${longitude}::float8, ${latitude}::float8)`;
  return sql<boolean | null>`(
    select case when bool_or(inside) then true when bool_or(unknown) is not false then null else false end
    from (
      select a.extent is null as unknown, a.extent @> ${here} and not exists (
        select from unnest(a.holes) as hole where hole @> ${here}) as inside
      from service_area_extents a where a.service_id = ${id}) as area)`;
};

/** The service in full, as answers have it. */
export function fullDocument({ document, ...said }: StoredDocument): Record<string, unknown> {
  const known = Object.entries(said).filter(([, value]) => value !== null && value !== undefined);
  return { ...JSON.parse(document), ...Object.fromEntries(known) };
}

/** The same as JSON text. */
export function documentText(row: StoredDocument): string {
  const { document, ...said } = row;
  const isAsStored = Object.values(said).every((value) => value === null || value === undefined);
  return isAsStored ? document : JSON.stringify(fullDocument(row));
}

/** The service in full as JSON text, whatever its status, and whether it serves a place. */
export async function findServiceDocument(db: Db, id: string, place?: Point): Promise<string | undefined> {
  if (id.includes('\0')) return undefined;
  const area = place ? servesOf(sql`d.service_id`, place) : sql`null`;
  const { rows } = await sql<StoredDocument>`
    select ${documentColumns(sql`d.service_id`)}, ${area} as in_service_area
    from service_documents d where d.service_id = ${id}`.execute(db);
  return rows[0] && documentText(rows[0]);
}

/** The service in full as JSON text, and when it was changed here. */
async function findDatedService(db: Db, id: string): Promise<DatedContent | undefined> {
  if (id.includes('\0')) return undefined;
  const { rows } = await sql<StoredDocument & { updatedAt: Date }>`
    select ${documentColumns(sql`s.id`)}, s.updated_at as "updatedAt"
    from services s join service_documents d on d.service_id = s.id where s.id = ${id}`.execute(db);
  if (!rows[0]) return undefined;
  const { updatedAt, ...row } = rows[0];
  return { content: documentText(row), updatedAt };
}

/** Services in full, by their ids. */
export async function findServiceDocuments(
  db: Db,
  ids: readonly string[],
): Promise<Map<string, Record<string, unknown>>> {
  const { rows } = await sql<StoredDocument & { id: string }>`
    select d.service_id as id, ${documentColumns(sql`d.service_id`)}
    from service_documents d where d.service_id = any(${[...ids]})`.execute(db);
  return new Map(rows.map(({ id, ...row }) => [id, fullDocument(row)]));
}

/** Which of the services serve a place; those are missing of which nothing outlines the areas. */
export async function findAreaCoverage(
  db: Db,
  ids: readonly string[],
  place: Point,
): Promise<Map<string, boolean>> {
  const { rows } = await sql<{ id: string; serves: boolean | null }>`
    select id, ${servesOf(sql`id`, place)} as serves from unnest(${[...ids]}::text[]) as id`.execute(db);
  return new Map(rows.flatMap(({ id, serves }) => (serves === null ? [] : [[id, serves] as const])));
}

/** The service in full, with what is said of it here and who changed it last, and when it was changed here. */
export async function readService(db: Db, id: string): Promise<DatedContent | undefined> {
  const found = await findDatedService(db, id);
  if (!found) return undefined;
  return { ...found, content: withMetadata(found.content, await findMetadata(db, id)) };
}

const maxMetadata = 100;

/**
 * The latest changes of a service, the newest first, as HSDS has them: who changed which field, and when. What it said
 * before was perhaps taken out because it was nobody's business, so the values stay in the history, which is for those
 * who edit the service. HSDS asks for them as texts: they are empty.
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
 * A document with what this site knows of its changes, before what its source tells of those there. Documents are stored
 * without ours, so that an export is what came in; one that was given out and comes back brings none of ours twice.
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

/** Whether the library holds any service. */
export async function hasServices(db: Db): Promise<boolean> {
  const { rows } = await sql<{ some: boolean }>`select exists (select from services) as some`.execute(db);
  return rows[0]!.some;
}
