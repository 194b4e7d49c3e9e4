import { sql } from 'kysely';
import { fullNameColumnSql } from '../../accounts/index.ts';
import type { Db, Trx } from '../../platform/database/index.ts';
import { documentColumnsSql, documentText, type StoredDocument } from '../hsds/services-store.ts';

/** `services` is how many services the list has. */
export type ServiceList = { id: string; name: string; services: number; createdAt: Date; updatedAt: Date };

function selectLists(db: Db, organisationId: string) {
  return db
    .selectFrom('service_lists as l')
    .select((query) => [
      'l.id',
      'l.name',
      'l.created_at as createdAt',
      'l.updated_at as updatedAt',
      query
        .selectFrom('service_list_entries as e')
        .select(query.fn.countAll<number>().as('count'))
        .whereRef('e.list_id', '=', 'l.id')
        .$asScalar()
        .$notNull()
        .as('services'),
    ])
    .where('l.organisation_id', '=', organisationId);
}

/** The oldest first. */
export function listLists(
  db: Db,
  organisationId: string,
  { afterId, limit }: { afterId?: string | undefined; limit: number },
): Promise<ServiceList[]> {
  return selectLists(db, organisationId)
    .$if(afterId !== undefined, (query) => query.where('l.id', '>', afterId!))
    .orderBy('l.id')
    .limit(limit)
    .execute();
}

export function findList(db: Db, organisationId: string, id: string): Promise<ServiceList | undefined> {
  return selectLists(db, organisationId).where('l.id', '=', id).executeTakeFirst();
}

export async function lockList(
  trx: Trx,
  organisationId: string,
  id: string,
): Promise<ServiceList | undefined> {
  await trx
    .selectFrom('service_lists')
    .select('id')
    .where('organisation_id', '=', organisationId)
    .where('id', '=', id)
    .forUpdate()
    .execute();
  return findList(trx, organisationId, id);
}

/** Until the transaction ends, no other one makes or renames lists of the organisation. */
export async function lockListsOf(trx: Trx, organisationId: string): Promise<void> {
  await trx
    .selectFrom('organisations')
    .select('id')
    .where('id', '=', organisationId)
    .forNoKeyUpdate()
    .execute();
}

export async function countLists(trx: Trx, organisationId: string): Promise<number> {
  const { count } = await trx
    .selectFrom('service_lists')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('organisation_id', '=', organisationId)
    .executeTakeFirstOrThrow();
  return count;
}

/** Whether the organisation has another list of this name, ignoring capital letters. */
export async function isNameTaken(
  trx: Trx,
  organisationId: string,
  name: string,
  exceptId: string,
): Promise<boolean> {
  const other = await trx
    .selectFrom('service_lists')
    .select('id')
    .where('organisation_id', '=', organisationId)
    .where(sql<boolean>`lower(name) = lower(${name})`)
    .where('id', '<>', exceptId)
    .executeTakeFirst();
  return other !== undefined;
}

export async function insertList(
  trx: Trx,
  { id, organisationId, name, at }: { id: string; organisationId: string; name: string; at: Date },
): Promise<void> {
  await trx
    .insertInto('service_lists')
    .values({ id, organisation_id: organisationId, name, created_at: at, updated_at: at })
    .execute();
}

export async function updateListName(trx: Trx, id: string, name: string, at: Date): Promise<void> {
  await trx.updateTable('service_lists').set({ name, updated_at: at }).where('id', '=', id).execute();
}

export async function deleteSavedList(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('service_lists').where('id', '=', id).execute();
}

type Entry = { listId: string; serviceId: string; at: Date };

/** @returns false if the service was on the list already. */
export async function insertEntry(
  trx: Trx,
  { listId, serviceId, at, accountId }: Entry & { accountId: string },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows: inserted = 0n } = await trx
    .insertInto('service_list_entries')
    .values({ list_id: listId, service_id: serviceId, saved_at: at, saved_by: accountId })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (inserted > 0n) await markListChanged(trx, listId, at);
  return inserted > 0n;
}

/** @returns false if the service was not on the list. */
export async function removeEntry(trx: Trx, { listId, serviceId, at }: Entry): Promise<boolean> {
  const { numDeletedRows: deleted } = await trx
    .deleteFrom('service_list_entries')
    .where('list_id', '=', listId)
    .where('service_id', '=', serviceId)
    .executeTakeFirst();
  if (deleted > 0n) await markListChanged(trx, listId, at);
  return deleted > 0n;
}

async function markListChanged(trx: Trx, listId: string, at: Date): Promise<void> {
  await trx.updateTable('service_lists').set({ updated_at: at }).where('id', '=', listId).execute();
}

/** A service of a list. `document` is its JSON text, with its availability. */
export type SavedService = {
  number: number;
  serviceId: string;
  name: string;
  organizationName: string | null;
  status: string;
  savedAt: Date;
  savedBy: string | null;
  document: string;
};

/** In the order in which they were saved. */
export async function listSavedServices(
  db: Db,
  listId: string,
  part: { after?: number | undefined; limit: number },
): Promise<SavedService[]> {
  const { rows } = await sql<Omit<SavedService, 'document'> & StoredDocument>`
    select e.number::int, e.service_id as "serviceId", s.name, o.name as "organizationName", s.status,
      e.saved_at as "savedAt", ${fullNameColumnSql} as "savedBy",
      ${documentColumnsSql(sql`s.id`)}
    from service_list_entries e join services s on s.id = e.service_id
    join service_documents d on d.service_id = s.id
    left join organizations o on o.id = s.organization_id left join accounts a on a.id = e.saved_by
    where e.list_id = ${listId} and e.number > ${part.after ?? 0} order by e.number limit ${part.limit}`.execute(
    db,
  );
  return rows.map(({ document, service_capacity, responsiveness, ...saved }) => ({
    ...saved,
    document: documentText({ document, service_capacity, responsiveness }),
  }));
}

/** The organisation's lists that the service is on. */
export async function findListsWith(db: Db, organisationId: string, serviceId: string): Promise<Set<string>> {
  const rows = await db
    .selectFrom('service_lists as l')
    .innerJoin('service_list_entries as e', 'e.list_id', 'l.id')
    .select('l.id')
    .where('l.organisation_id', '=', organisationId)
    .where('e.service_id', '=', serviceId)
    .execute();
  return new Set(rows.map(({ id }) => id));
}
