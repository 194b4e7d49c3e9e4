import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import type { Service } from '../hsds/service.ts';
import { saidMembers, withMembers } from '../search/members-store.ts';
import type { Dated } from '../send-answer.ts';
import { type AtLocationForm, atLocation } from './at-location.ts';

/** A service's location by its place in the service's list. */
export type AtLocationKey = { serviceId: string; number: number };

/** The service that an answer has in it: in full without the locations, which would come again with each of them. */
const services: Readonly<Record<AtLocationForm, RawBuilder<string>>> = {
  summary: sql`d.summary`,
  document: sql`(
    select '{' || string_agg(to_json(key)::text || ':' || value::text, ',' order by place) || '}'
    from json_each(d.document::json) with ordinality as each(key, value, place)
    where key <> 'service_at_locations')`,
};

/** A service with all that it has, and as it stands in the answers of its locations. */
type Of = { id: string; document: string; service: string };

const serviceIn = (form: AtLocationForm) => withMembers(services[form], saidMembers(sql`d.service_id`));

/**
 * The answers of services at locations, in their order, which `whole` completes; none of one that was deleted just now. Those
 * of one service share its text: to cut them open would make a long text of each.
 */
export async function findAtLocations(
  db: Db,
  form: AtLocationForm,
  keys: readonly AtLocationKey[],
): Promise<(string | undefined)[]> {
  const ids = [...new Set(keys.map(({ serviceId }) => serviceId))];
  const { rows } = await sql<Of>`
    select d.service_id as id, d.document, ${serviceIn(form)} as service
    from service_documents d where d.service_id = any(${ids})`.execute(db);
  // Each is taken apart once, however many of its locations are asked for.
  const answers = new Map(rows.map((row) => [row.id, answersOf(form, row)]));
  return keys.map(({ serviceId, number }) => answers.get(serviceId)?.(number));
}

function answersOf(form: AtLocationForm, { document, service }: Omit<Of, 'id'>) {
  const whole = JSON.parse(document) as Service;
  return (number: number) => {
    const at = atLocation(form, whole, number);
    return at && `${JSON.stringify(at).slice(0, -1)},"service":${service}`;
  };
}

/** @param members what it says of a place, as JSON text that begins with a comma */
export function whole(answer: string, members = ''): string {
  return `${answer}${members}}`;
}

/** A service at a location, whatever the service's status. Of several with one id, always the same. */
export async function findAtLocation(db: Db, id: string): Promise<Dated | undefined> {
  if (id.includes('\0')) return undefined;
  const { rows } = await sql<Omit<Of, 'id'> & { number: number; updatedAt: Date }>`
    select l.number, d.document, ${serviceIn('document')} as service, s.updated_at as "updatedAt"
    from service_at_locations l join service_documents d using (service_id) join services s on s.id = l.service_id
    where l.id = ${id} order by l.service_id, l.number limit 1`.execute(db);
  const [found] = rows;
  const content = found && answersOf('document', found)(found.number);
  return content === undefined ? undefined : { content: whole(content), updatedAt: found!.updatedAt };
}
