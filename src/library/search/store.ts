import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import type { Filters, Form } from './list-query.ts';
import type { TextQuery } from './text-query.ts';
import { matches, rankOf } from './text-store.ts';

export type Window = { limit: number; offset: number };
/** `contents` are the services' JSON texts, separated by commas. */
export type Found = { total: number; size: number; contents: string };

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
  filters: Filters,
  text: TextQuery | undefined,
  form: Form,
  window: Window,
): Promise<Found> {
  const where = conditions(filters, text);
  const rank = text ? rankOf(text) : sql`0`;
  const { rows } = await sql<Found>`
    with page as materialized (
      select s.id, s.sort_name, ${rank} as rank from services s where ${where}
      order by rank desc, s.sort_name, s.id limit ${window.limit} offset ${window.offset})
    select (select count(*) from services s where ${where}) as total, count(*) as size,
      coalesce(string_agg(${forms[form]}, ',' order by page.rank desc, page.sort_name, page.id), '') as contents
    from page join services s on s.id = page.id join service_documents d on d.service_id = page.id`.execute(
    db,
  );
  return rows[0]!;
}

/** The services that come after an id, in the order of their ids: for handing out all of them bit by bit. */
export async function findServicesAfter(
  db: Db,
  filters: Filters,
  text: TextQuery | undefined,
  form: Form,
  after: string,
  limit: number,
): Promise<{ id: string; content: string }[]> {
  const { rows } = await sql<{ id: string; content: string }>`
    select s.id, ${forms[form]} as content
    from services s join service_documents d on d.service_id = s.id
    where ${conditions(filters, text)} and s.id > ${after} order by s.id limit ${limit}`.execute(db);
  return rows;
}

export function conditions(filters: Filters, text: TextQuery | undefined): RawBuilder<unknown> {
  const { termIds, taxonomyId, organizationId, modifiedAfter } = filters;
  const all = [sql`s.status = 'active'`];
  if (text) all.push(matches(text));
  if (termIds) {
    all.push(
      sql`s.id in (select service_id from service_taxonomy_terms where term_id = any(${[...termIds]}))`,
    );
  }
  if (taxonomyId !== undefined) {
    all.push(sql`
      s.id in (select st.service_id from service_taxonomy_terms st join taxonomy_terms t on t.id = st.term_id
        where t.taxonomy_id = ${taxonomyId})`);
  }
  if (organizationId !== undefined) all.push(sql`s.organization_id = ${organizationId}`);
  if (modifiedAfter) all.push(sql`s.last_modified >= ${modifiedAfter}`);
  return sql.join(all, sql` and `);
}

export async function isAnyService(db: Db, filters: Filters, text: TextQuery): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from services s where ${conditions(filters, text)}) as found`.execute(db);
  return rows[0]!.found;
}
