import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import type { Place } from './filters.ts';
import { areaMember, saidMembers, withMembers } from './members-store.ts';

/** The services' full JSON texts, with what is said of them here, by id. */
export async function findDocuments(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const content = withMembers(sql`d.document`, saidMembers(sql`d.service_id`));
  const { rows } = await sql<{ id: string; content: string }>`
    /* prepared as list-service-documents */ select d.service_id as id, ${content} as content
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
