import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import type { Service } from '../model/service.ts';
import { singleValues } from '../write/service-row.ts';
import type { DatedContent } from './etag.ts';
import { documentColumnsSql, fullDocument, type StoredDocument, summaryDocument } from './services-store.ts';

/** How much of each service at a location an answer has. */
export type AtLocationDetail = 'summary' | 'document';

/** `number` is the location's position in the service's list, from 1. */
export type AtLocationKey = { serviceId: string; number: number };

type Row = StoredDocument & { id: string; summary: string };

const columnsSql = sql`d.service_id as id, d.summary, ${documentColumnsSql(sql`d.service_id`)}`;

/** Services at locations, in the order of their keys. A service that was deleted meanwhile has none. */
export async function findServicesAtLocations(
  db: Db,
  detail: AtLocationDetail,
  keys: readonly AtLocationKey[],
): Promise<(object | undefined)[]> {
  const ids = [...new Set(keys.map(({ serviceId }) => serviceId))];
  const { rows } = await sql<Row>`
    select ${columnsSql} from service_documents d where d.service_id = any(${ids})`.execute(db);
  // Each document is parsed once, however many of its locations are wanted.
  const answers = new Map(rows.map((row) => [row.id, locationAnswers(detail, row)]));
  return keys.map(({ serviceId, number }) => answers.get(serviceId)?.(number));
}

/** A service at a location, with any status. If several share the id, always the same one. */
export async function findServiceAtLocation(db: Db, id: string): Promise<DatedContent | undefined> {
  if (id.includes('\0')) return undefined;
  const { rows } = await sql<Row & { number: number; updatedAt: Date }>`
    select l.number, ${columnsSql}, s.updated_at as "updatedAt"
    from service_at_locations l join service_documents d using (service_id) join services s on s.id = l.service_id
    where l.id = ${id} order by l.service_id, l.number limit 1`.execute(db);
  const [row] = rows;
  const content = row && locationAnswers('document', row)(row.number);
  return content && { content: JSON.stringify(content), updatedAt: row.updatedAt };
}

/** Each answer contains the service, without the service's own list of locations. */
function locationAnswers(
  detail: AtLocationDetail,
  { summary, document, service_capacity, responsiveness }: Row,
) {
  const whole = JSON.parse(document) as Service;
  const added = { service_capacity, responsiveness };
  const { service_at_locations: _, ...service } =
    detail === 'summary'
      ? summaryDocument({ document: summary, ...added })
      : fullDocument({ document, ...added });
  return (number: number) => {
    const at = atLocation(detail, whole, number);
    return at && { ...at, service };
  };
}

/** Fields that HSDS does not have here but feeds may send. */
type FeedFields = { location_id?: unknown; service?: unknown; service_id?: unknown };

function atLocation(detail: AtLocationDetail, service: Service, number: number): object | undefined {
  const { service_at_locations: places = [], id: service_id, name, status } = service;
  const place = places[number - 1];
  if (place === undefined) return undefined;
  const { location } = place;
  const { service: _, service_id: __, location_id = location?.id, ...own } = place as FeedFields;
  const links = { service_id, location_id };
  // The published OpenAPI documents check this answer against the schema of a service, which requires a name and a
  // status. With both added, the answer satisfies that schema and its own.
  if (detail === 'document') return { ...own, ...links, name, status };
  return { ...singleValues(own), ...links, location: location && singleValues(location) };
}
