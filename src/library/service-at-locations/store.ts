import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import type { Filters } from '../search/list-query.ts';
import type { Line, Listing } from '../search/search-listing.ts';
import { type Found, conditions as serviceConditions, type Window } from '../search/store.ts';
import type { TextQuery } from '../search/text-query.ts';
import { rankOf } from '../search/text-store.ts';
import type { Dated } from '../send-answer.ts';

export type AtLocationForm = 'summary' | 'document';

export function atLocationsListing(db: Db, filters: Filters, form: AtLocationForm): Listing {
  return {
    find: (text, window) => findAtLocations(db, filters, text, form, window),
    isAny: (text) => isAnyAtLocation(db, filters, text),
    findAfter: (text, after, limit) => findAtLocationsAfter(db, filters, text, form, after, limit),
  };
}

/** `l` is the row of a service at a location, `d` the documents of its service. */
const contents: Readonly<Record<AtLocationForm, RawBuilder<string>>> = {
  summary: sql`left(l.summary, -1) || ',"service":' || d.service || '}'`,
  document: sql`left(l.document, -1) || ',"service":' || d.service || '}'`,
};

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
  return sql`documents as materialized (
    select given.service_id, ${services[form]} as service from service_documents given
    where given.service_id in (select page.service_id from page))`;
}

async function findAtLocations(
  db: Db,
  filters: Filters,
  text: TextQuery | undefined,
  form: AtLocationForm,
  window: Window,
): Promise<Found> {
  const from = fitting(filters, text);
  const { rows } = await sql<Found>`
    with page as materialized (
      select l.service_id, l.number, l.sort_name, ${text ? rankOf(text) : sql`0`} as rank ${from}
      order by rank desc, l.sort_name, l.service_id, l.number limit ${window.limit} offset ${window.offset}),
    ${servicesOf(form)}
    select (select count(*) ${from}) as total, count(*) as size, coalesce(string_agg(${contents[form]}, ','
      order by page.rank desc, page.sort_name, page.service_id, page.number), '') as contents
    from page join service_at_locations l on l.service_id = page.service_id and l.number = page.number
    join documents d on d.service_id = page.service_id`.execute(db);
  return rows[0]!;
}

async function isAnyAtLocation(db: Db, filters: Filters, text: TextQuery): Promise<boolean> {
  const { rows } = await sql<{
    any: boolean;
  }>`select exists (select ${fitting(filters, text)}) as any`.execute(db);
  return rows[0]!.any;
}

/** Those of so many services: `content` has a line for each. */
async function findAtLocationsAfter(
  db: Db,
  filters: Filters,
  text: TextQuery | undefined,
  form: AtLocationForm,
  after: string,
  limit: number,
): Promise<Line[]> {
  const { rows } = await sql<Line>`
    with page as materialized (
      select distinct l.service_id ${fitting(filters, text)} and l.service_id > ${after}
      order by l.service_id limit ${limit}),
    ${servicesOf(form)}
    select l.service_id as id, string_agg(${contents[form]}, e'\\n' order by l.number) as content
    from service_at_locations l join documents d on d.service_id = l.service_id
    group by l.service_id order by l.service_id`.execute(db);
  return rows;
}

/** Where nothing is asked for, the locations' own index answers; otherwise their services are looked at. */
function fitting(filters: Filters, text: TextQuery | undefined): RawBuilder<unknown> {
  const isAsked = text !== undefined || Object.values(filters).some((each) => each !== undefined);
  return isAsked
    ? sql`from services s join service_at_locations l on l.service_id = s.id
        where ${serviceConditions(filters, text)}`
    : sql`from service_at_locations l where l.listed`;
}

/** A service at a location, whatever the service's status. Of several with one id, always the same. */
export async function findAtLocation(db: Db, id: string): Promise<Dated | undefined> {
  if (id.includes('\0')) return undefined;
  const { rows } = await sql<Dated>`
    with page as materialized (
      select service_id, number from service_at_locations where id = ${id}
      order by service_id, number limit 1),
    ${servicesOf('document')}
    select ${contents.document} as content, s.updated_at as "updatedAt"
    from page join service_at_locations l on l.service_id = page.service_id and l.number = page.number
    join documents d on d.service_id = page.service_id join services s on s.id = page.service_id`.execute(db);
  return rows[0];
}
