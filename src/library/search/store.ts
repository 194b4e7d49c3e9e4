import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import { chordTo, conditions, pointOf } from './conditions-store.ts';
import type { Facets, Place } from './filters.ts';
import type { Form, Selection } from './list-query.ts';
import { serviceMembers, withMembers } from './members-store.ts';
import type { TextQuery } from './text-query.ts';
import { rankOf } from './text-store.ts';

export type Window = { limit: number; offset: number };
/** `contents` are the services' JSON texts, separated by commas. */
export type Found = { total: number; size: number; contents: string; facets?: Facets };

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
  const { rows } = await sql<Found>`
    with page as materialized (
      select id, row_number() over () as number from (${ordered(selection, text)}
        limit ${window.limit} offset ${window.offset}) as ordered)
    select (select count(*) from services s where ${conditions(selection, text)}) as total, count(*) as size,
      coalesce(string_agg(${contentOf(form, selection.place)}, ',' order by page.number), '') as contents
    from page join services s on s.id = page.id join service_documents d on d.service_id = page.id`.execute(
    db,
  );
  return rows[0]!;
}

function contentOf(form: Form, place: Place | undefined): RawBuilder<string> {
  return form === 'minimal' ? forms.minimal : withMembers(forms[form], serviceMembers(place));
}

/** The ids of the services in their order. */
function ordered(selection: Selection, text: TextQuery | undefined): RawBuilder<unknown> {
  const { sort, place } = selection;
  const where = conditions(selection, text);
  if (sort === 'distance' && place) {
    return sql`
      select s.id from service_places p join services s on s.id = p.service_id
      where ${where} and ${isNearest(place)}
      order by ${chordTo(place)}, s.sort_name, s.id`;
  }
  const rank = sort === 'relevance' && text ? sql`${rankOf(text)} desc,` : sql``;
  return sql`
    select s.id from services s where ${where} order by ${rank} s.sort_name, s.id`;
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

export async function isAnyService(db: Db, selection: Selection, text: TextQuery): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from services s where ${conditions(selection, text)}) as found`.execute(db);
  return rows[0]!.found;
}
