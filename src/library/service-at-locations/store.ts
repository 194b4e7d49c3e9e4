import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import type { Service } from '../model/service.ts';
import type { Dated } from '../send-answer.ts';
import { documentColumns, fullDocument, type StoredDocument } from '../services/document-store.ts';
import { type AtLocationForm, atLocation } from './at-location.ts';

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
export async function findAtLocation(db: Db, id: string): Promise<Dated | undefined> {
  if (id.includes('\0')) return undefined;
  const { rows } = await sql<Row & { number: number; updatedAt: Date }>`
    select l.number, ${columns}, s.updated_at as "updatedAt"
    from service_at_locations l join service_documents d using (service_id) join services s on s.id = l.service_id
    where l.id = ${id} order by l.service_id, l.number limit 1`.execute(db);
  const [found] = rows;
  const content = found && answersOf('document', found)(found.number);
  return content && { content: JSON.stringify(content), updatedAt: found.updatedAt };
}
