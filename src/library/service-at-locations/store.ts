import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import { byAnswer, chordTo, conditions, ofPlaces } from '../search/conditions-store.ts';
import { startOf } from '../search/deep-pages-store.ts';
import type { Place } from '../search/filters.ts';
import type { Selection } from '../search/list-query.ts';
import { areaMember, distanceMember, saidMembers, withMembers } from '../search/members-store.ts';
import { libraryVersion, type Part, totalOf } from '../search/remembered-store.ts';
import type { Line, Listing } from '../search/search-listing.ts';
import { enoughOf, listKey } from '../search/search-services.ts';
import { type Found, isByName, type Window } from '../search/store.ts';
import type { TextQuery } from '../search/text-query.ts';
import { rankOf } from '../search/text-store.ts';
import type { Dated } from '../send-answer.ts';

export type AtLocationForm = 'summary' | 'document';

export function atLocationsListing(db: Db, selection: Selection, form: AtLocationForm): Listing {
  return {
    key: listKey('service_at_locations', selection, form),
    find: (text, window) => findAtLocations(db, selection, text, form, window),
    countUpTo: (text, most) => countAtLocationsUpTo(db, selection, text, most),
    findAfter: (text, after, limit) => findAtLocationsAfter(db, selection, text, form, after, limit),
    enough: enoughOf(selection),
  };
}

/** `l` is the row of a service at a location, `d` the document of its service. */
function contentOf(form: AtLocationForm, place: Place | undefined): RawBuilder<string> {
  const own = sql<string>`${sql.ref(`l.${form}`)}`;
  const thisPlace = sql`from service_places p where p.service_id = l.service_id and p.number = l.number`;
  const members = [
    sql<string>`',"service":' || d.service`,
    ...distanceMember(thisPlace, place),
    ...areaMember(sql`l.service_id`, place),
  ];
  return withMembers(own, members);
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

async function findAtLocations(
  db: Db,
  selection: Selection,
  text: TextQuery | undefined,
  form: AtLocationForm,
  window: Window,
): Promise<Found> {
  const { place } = selection;
  const rowsOf = fitting(selection, text);
  const start = isByName(selection, text)
    ? await startOf(db, window.offset, rowsOf, byName)
    : { after: sql`true`, offset: window.offset };
  const { rows } = await sql<Part>`
    with page as materialized (
      select service_id, number, row_number() over () as position from (
        select l.service_id, l.number ${rowsOf} and ${start.after}
        order by ${first(selection, text)} ${sql.join(byName.map((column) => sql.ref(column)))}
        limit ${window.limit} offset ${start.offset}) as ordered),
    ${servicesOf(form)}
    select ${libraryVersion} as version, count(*) as size,
      coalesce(string_agg(${contentOf(form, place)}, ',' order by page.position), '') as contents
    from page join service_at_locations l on l.service_id = page.service_id and l.number = page.number
    join documents d on d.service_id = page.service_id`.execute(db);
  return { ...rows[0]!, total: await totalOf(db, rows[0]!, window, rowsOf) };
}

const byName = ['l.sort_name', 'l.service_id', 'l.number'];

/** What counts more than names do. */
function first({ sort, place }: Selection, text: TextQuery | undefined): RawBuilder<unknown> {
  if (sort === 'distance' && place) return sql`${chordTo(place)},`;
  if (sort === 'responsiveness') return byAnswer(sql`l.service_id`);
  return sort === 'relevance' && text ? sql`${rankOf(text)} desc,` : sql``;
}

async function countAtLocationsUpTo(
  db: Db,
  selection: Selection,
  text: TextQuery,
  most: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (select ${fitting(selection, text)} limit ${most}) as fitting`.execute(
    db,
  );
  return rows[0]!.count;
}

/** Those of so many services: `content` has a line for each. */
async function findAtLocationsAfter(
  db: Db,
  selection: Selection,
  text: TextQuery | undefined,
  form: AtLocationForm,
  after: string,
  limit: number,
): Promise<Line[]> {
  const { rows } = await sql<Line>`
    with fitting as (select l.service_id, l.number ${fitting(selection, text)} and l.service_id > ${after}),
    page as materialized (select distinct service_id from fitting order by service_id limit ${limit}),
    ${servicesOf(form)}
    select l.service_id as id, string_agg(${contentOf(form, selection.place)}, e'\\n' order by l.number) as content
    from page join fitting using (service_id)
    join service_at_locations l on l.service_id = fitting.service_id and l.number = fitting.number
    join documents d on d.service_id = l.service_id
    group by l.service_id order by l.service_id`.execute(db);
  return rows;
}

/** Where nothing is asked for, the locations' own index answers; otherwise their services are looked at. */
function fitting(selection: Selection, text: TextQuery | undefined): RawBuilder<unknown> {
  const { filters, place } = selection;
  const isAsked = text !== undefined || place || Object.values(filters).some((each) => each !== undefined);
  return isAsked
    ? sql`from services s join service_at_locations l on l.service_id = s.id
        join service_places p on p.service_id = l.service_id and p.number = l.number
        where ${conditions(selection, text, ofPlaces)}`
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
    select ${contentOf('document', undefined)} as content, s.updated_at as "updatedAt"
    from page join service_at_locations l on l.service_id = page.service_id and l.number = page.number
    join documents d on d.service_id = page.service_id join services s on s.id = page.service_id`.execute(db);
  return rows[0];
}
