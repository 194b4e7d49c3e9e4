import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import { byAnswer, chordTo, conditions, pointOf } from './conditions-store.ts';
import { startOf } from './deep-pages-store.ts';
import type { Facets, Place } from './filters.ts';
import type { Form, Selection } from './list-query.ts';
import { serviceMembers, withMembers } from './members-store.ts';
import { libraryVersion, type Part, totalOf } from './remembered-store.ts';
import type { TextQuery } from './text-query.ts';
import { rankOf } from './text-store.ts';

export type Window = { limit: number; offset: number };
/** `contents` are the services' JSON texts, separated by commas. */
export type Found = Part & { total: number; facets?: Facets };

/** What one service is in each form; `s` is its row and `d` its finished documents. */
const forms: Readonly<Record<Form, RawBuilder<string>>> = {
  summary: sql`d.summary`,
  document: sql`d.document`,
  minimal: sql`
    '{"id":' || to_json(s.id) || ',"last_modified":"' ||
    to_char(s.last_modified at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"}'`,
};

/** The services of one page, in their order, joined to one text by PostgreSQL so that nothing is taken apart here. */
export async function findServices(
  db: Db,
  selection: Selection,
  text: TextQuery | undefined,
  form: Form,
  window: Window,
): Promise<Found> {
  const fitting = sql`from services s where ${conditions(selection, text)}`;
  const { order, offset } = isByName(selection, text)
    ? await orderedByName(db, fitting, window)
    : { order: ordered(selection, text, window), offset: window.offset };
  const { rows } = await sql<Part>`
    with page as materialized (
      select id, row_number() over () as number from (${order} limit ${window.limit} offset ${offset}) as ordered)
    select ${libraryVersion} as version, count(*) as size,
      coalesce(string_agg(${contentOf(form, selection.place)}, ',' order by page.number), '') as contents
    from page join services s on s.id = page.id join service_documents d on d.service_id = page.id`.execute(
    db,
  );
  return { ...rows[0]!, total: await totalOf(db, rows[0]!, window, fitting) };
}

function contentOf(form: Form, place: Place | undefined): RawBuilder<string> {
  return form === 'minimal' ? forms.minimal : withMembers(forms[form], serviceMembers(place));
}

/** The ids of the services, the best or the nearest first; those of the window at least. */
function ordered(
  selection: Selection,
  text: TextQuery | undefined,
  { limit, offset }: Window,
): RawBuilder<unknown> {
  const { sort, place } = selection;
  const where = conditions(selection, text);
  if (sort === 'relevance' && text && 'ideas' in text && text.isBroad) {
    return byNameAlone(where, text.typed, limit + offset);
  }
  if (sort === 'distance' && place) {
    return sql`
      select s.id from service_places p join services s on s.id = p.service_id
      where ${where} and ${isNearest(place)}
      order by ${chordTo(place)}, s.sort_name, s.id`;
  }
  const soonest = sort === 'responsiveness' ? byAnswer(sql`s.id`) : undefined;
  const first = soonest ?? (text ? sql`${rankOf(text)} desc,` : sql``);
  return sql`
    select s.id from services s where ${where} order by ${first} s.sort_name, s.id`;
}

/** Whether there is nothing to sort by but names. */
export function isByName({ sort, place }: Selection, text: TextQuery | undefined): boolean {
  return !(sort === 'relevance' && text) && !(sort === 'distance' && place) && sort !== 'responsiveness';
}

async function orderedByName(db: Db, fitting: RawBuilder<unknown>, window: Window) {
  const { after, offset } = await startOf(db, window.offset, fitting, ['s.sort_name', 's.id']);
  return { order: sql`select s.id ${fitting} and ${after} order by s.sort_name, s.id`, offset };
}

/**
 * So many fit that they are not ranked: names that begin with what was typed come first, then all others. Both are read
 * from the index of names, which stops where the page ends.
 */
function byNameAlone(where: RawBuilder<unknown>, typed: string, most: number): RawBuilder<unknown> {
  const begins = sql`(s.sort_name >= ${typed} and s.sort_name < ${`${typed}\u{10ffff}`})`;
  const some = (which: RawBuilder<unknown>, place: number) => sql`
    (select s.id, s.sort_name, ${place}::int as place from services s where ${where} and ${which}
      order by s.sort_name, s.id limit ${most})`;
  return sql`
    select id from (${some(begins, 0)} union all ${some(sql`not ${begins}`, 1)}) as named
    order by place, sort_name, id`;
}

/** Whether no other place of the service is nearer than `p`: it is listed once, however many it has. */
function isNearest(place: Place): RawBuilder<unknown> {
  const far = sql`'infinity'::float8`;
  return sql`(p.alone or not exists (
    select from service_places other
    where other.service_id = p.service_id
      and (coalesce(other.point <-> ${pointOf(place)}, ${far}), other.number)
        < (coalesce(p.point <-> ${pointOf(place)}, ${far}), p.number)))`;
}

/** The services that come after an id, in the order of their ids: for handing out all of them bit by bit. */
export async function findServicesAfter(
  db: Db,
  selection: Selection,
  text: TextQuery | undefined,
  form: Form,
  after: string,
  limit: number,
): Promise<{ id: string; content: string }[]> {
  const { rows } = await sql<{ id: string; content: string }>`
    select s.id, ${contentOf(form, selection.place)} as content
    from services s join service_documents d on d.service_id = s.id
    where ${conditions(selection, text)} and s.id > ${after} order by s.id limit ${limit}`.execute(db);
  return rows;
}

export async function countServicesUpTo(
  db: Db,
  selection: Selection,
  text: TextQuery,
  most: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from services s where ${conditions(selection, text)} limit ${most}) as fitting`.execute(db);
  return rows[0]!.count;
}
