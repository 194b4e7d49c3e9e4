import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import { saidMembers, withMembers } from '../search/members-store.ts';
import type { Dated } from '../send-answer.ts';

export type AtLocationForm = 'summary' | 'document';
/** A service's location by its place in the service's list. */
export type AtLocationKey = { serviceId: string; number: number };

/** `l` is the row of a service at a location, `d` the document of its service. */
function contentOf(form: AtLocationForm): RawBuilder<string> {
  return withMembers(sql<string>`${sql.ref(`l.${form}`)}`, [sql<string>`',"service":' || d.service`]);
}

/** The service that an answer has in it: in full without the locations, which would come again with each of them. */
const services: Readonly<Record<AtLocationForm, RawBuilder<string>>> = {
  summary: sql`given.summary`,
  document: sql`(
    select '{' || string_agg(to_json(key)::text || ':' || value::text, ',' order by place) || '}'
    from json_each(given.document::json) with ordinality as each(key, value, place)
    where key <> 'service_at_locations')`,
};

/** Takes each service apart once, however many of its locations are on the page. */
function servicesOf(form: AtLocationForm): RawBuilder<unknown> {
  const service = withMembers(services[form], saidMembers(sql`given.service_id`));
  return sql`documents as materialized (
    select given.service_id, ${service} as service from service_documents given
    where given.service_id in (select page.service_id from page))`;
}

/** The answers of services at locations, in their order; none of one that was deleted just now. */
export async function findAtLocations(
  db: Db,
  form: AtLocationForm,
  keys: readonly AtLocationKey[],
): Promise<(string | undefined)[]> {
  const { rows } = await sql<{ place: number; content: string }>`
    with page as materialized (
      select * from unnest(${keys.map(({ serviceId }) => serviceId)}::text[], ${keys.map(({ number }) => number)}::int[])
        with ordinality as given(service_id, number, place)),
    ${servicesOf(form)}
    select page.place, ${contentOf(form)} as content
    from page join service_at_locations l on l.service_id = page.service_id and l.number = page.number
    join documents d on d.service_id = page.service_id`.execute(db);
  const contents = new Map(rows.map(({ place, content }) => [place, content]));
  return keys.map((_, index) => contents.get(index + 1));
}

/** A service at a location, whatever the service's status. Of several with one id, always the same. */
export async function findAtLocation(db: Db, id: string): Promise<Dated | undefined> {
  if (id.includes('\0')) return undefined;
  const { rows } = await sql<Dated>`
    with page as materialized (
      select service_id, number from service_at_locations where id = ${id}
      order by service_id, number limit 1),
    ${servicesOf('document')}
    select ${contentOf('document')} as content, s.updated_at as "updatedAt"
    from page join service_at_locations l on l.service_id = page.service_id and l.number = page.number
    join documents d on d.service_id = page.service_id join services s on s.id = page.service_id`.execute(db);
  return rows[0];
}
