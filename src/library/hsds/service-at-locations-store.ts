import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import type { Service } from '../model/service.ts';
import { singleValues } from '../write/service-row.ts';
import type { DatedContent } from './send-answer.ts';
import { documentColumns, fullDocument, type StoredDocument } from './services-store.ts';

export type AtLocationForm = 'summary' | 'document';

/** A service at one of its locations, by its place in the service's list, as an answer has it; but for the service itself. */
function atLocation(form: AtLocationForm, service: Service, number: number): object | undefined {
  const { service_at_locations: places = [], id: service_id, name, status } = service;
  const place = places[number - 1];
  if (place === undefined) return undefined;
  const { location } = place;
  const { service: _, service_id: __, location_id = location?.id, ...own } = place as Given;
  const links = { service_id, location_id };
  // The published OpenAPI documents hold an answer to one of these against the schema of a service, which must
  // have a name and a status. With these beside the rest it satisfies that schema and its own.
  if (form === 'document') return { ...own, ...links, name, status };
  return { ...singleValues(own), ...links, location: location && singleValues(location) };
}

/** What HSDS does not name here, but feeds may. */
type Given = { location_id?: unknown; service?: unknown; service_id?: unknown };

/** A service's location by its number in the service's list. */
export type AtLocationKey = { serviceId: string; number: number };

type Row = StoredDocument & { id: string; summary: string };

const columns = sql`d.service_id as id, d.summary, ${documentColumns(sql`d.service_id`)}`;

/** Services at locations in the order of their keys; none of one that was deleted just now. */
export async function findAtLocations(
  db: Db,
  form: AtLocationForm,
  keys: readonly AtLocationKey[],
): Promise<(object | undefined)[]> {
  const ids = [...new Set(keys.map(({ serviceId }) => serviceId))];
  const { rows } = await sql<Row>`
    select ${columns} from service_documents d where d.service_id = any(${ids})`.execute(db);
  // Each is read once, however many of its locations are wanted.
  const answers = new Map(rows.map((row) => [row.id, answersOf(form, row)]));
  return keys.map(({ serviceId, number }) => answers.get(serviceId)?.(number));
}

/** The answers of a service's locations have the service in them, in full without the locations, which would come again. */
function answersOf(form: AtLocationForm, { summary, document, service_capacity, responsiveness }: Row) {
  const whole = JSON.parse(document) as Service;
  const shown = form === 'summary' ? summary : document;
  const { service_at_locations: _, ...service } = fullDocument({
    document: shown,
    service_capacity,
    responsiveness,
  });
  return (number: number) => {
    const at = atLocation(form, whole, number);
    return at && { ...at, service };
  };
}

/** A service at a location, whatever the service's status. Of several with one id, always the same. */
export async function findAtLocation(db: Db, id: string): Promise<DatedContent | undefined> {
  if (id.includes('\0')) return undefined;
  const { rows } = await sql<Row & { number: number; updatedAt: Date }>`
    select l.number, ${columns}, s.updated_at as "updatedAt"
    from service_at_locations l join service_documents d using (service_id) join services s on s.id = l.service_id
    where l.id = ${id} order by l.service_id, l.number limit 1`.execute(db);
  const [found] = rows;
  const content = found && answersOf('document', found)(found.number);
  return content && { content: JSON.stringify(content), updatedAt: found.updatedAt };
}
