import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import type { Place } from './filters.ts';
import { areaMember, saidMembers, withMembers } from './members-store.ts';

/** How much of a service: in short, or in full. */
export type DocumentForm = 'summary' | 'document';

const prepared: Readonly<Record<DocumentForm, RawBuilder<unknown>>> = {
  summary: sql`/* prepared as list-service-summaries */`,
  document: sql`/* prepared as list-service-documents */`,
};

/** The services' JSON texts, with what is said of them here, by id. */
export async function findDocuments(
  db: Db,
  form: DocumentForm,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const content = withMembers(sql<string>`${sql.ref(`d.${form}`)}`, saidMembers(sql`d.service_id`));
  const { rows } = await sql<{ id: string; content: string }>`
    ${prepared[form]} select d.service_id as id, ${content} as content
    from service_documents d where d.service_id = any(${[...ids]})`.execute(db);
  return new Map(rows.map((row) => [row.id, row.content]));
}

/** What is to be said of the place in the answers of services: whether it is in an area that they serve. */
export async function findAreaMembers(
  db: Db,
  ids: readonly string[],
  place: Place,
): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; member: string | null }>`
    select id, concat(${sql.join(areaMember(sql`id`, place))}) as member
    from unnest(${[...ids]}::text[]) as id`.execute(db);
  return new Map(rows.map(({ id, member }) => [id, member ?? '']));
}
