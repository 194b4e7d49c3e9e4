import { sql } from 'kysely';
import type { Db, Trx } from '../../platform/database/index.ts';
import { documentColumns, documentText, type StoredDocument } from '../hsds/services-store.ts';

/** `services` is how many it has. */
export type ServiceList = { id: string; name: string; services: number; createdAt: Date; updatedAt: Date };

const columns = sql`
  l.id, l.name, l.created_at as "createdAt", l.updated_at as "updatedAt",
  (select count(*)::int from service_list_entries e where e.list_id = l.id) as services`;

/** The oldest first. */
export async function listLists(
  db: Db,
  organisationId: string,
  part: { afterId?: string | undefined; limit: number },
): Promise<ServiceList[]> {
  const after = part.afterId === undefined ? sql`true` : sql`l.id > ${part.afterId}`;
  const { rows } = await sql<ServiceList>`
    select ${columns} from service_lists l where l.organisation_id = ${organisationId} and ${after}
    order by l.id limit ${part.limit}`.execute(db);
  return rows;
}

export async function findList(db: Db, organisationId: string, id: string): Promise<ServiceList | undefined> {
  const { rows } = await sql<ServiceList>`
    select ${columns} from service_lists l where l.organisation_id = ${organisationId} and l.id = ${id}`.execute(
    db,
  );
  return rows[0];
}

export async function lockList(
  trx: Trx,
  organisationId: string,
  id: string,
): Promise<ServiceList | undefined> {
  await sql`
    select from service_lists where organisation_id = ${organisationId} and id = ${id} for update`.execute(
    trx,
  );
  return findList(trx, organisationId, id);
}

/** Until the transaction ends no other one makes or names lists of the organisation. */
export async function lockListsOf(trx: Trx, organisationId: string): Promise<void> {
  await sql`select from organisations where id = ${organisationId} for no key update`.execute(trx);
}

export async function countLists(trx: Trx, organisationId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from service_lists where organisation_id = ${organisationId}`.execute(trx);
  return rows[0]!.count;
}

/** Whether the organisation has another list of that name, in capital letters or small ones. */
export async function isNameTaken(
  trx: Trx,
  organisationId: string,
  name: string,
  exceptId: string,
): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`
    select exists (
      select from service_lists
      where organisation_id = ${organisationId} and lower(name) = lower(${name}) and id <> ${exceptId}) as taken`.execute(
    trx,
  );
  return rows[0]!.taken;
}

export async function insertList(
  trx: Trx,
  list: { id: string; organisationId: string; name: string; at: Date },
): Promise<void> {
  await sql`
    insert into service_lists (id, organisation_id, name, created_at, updated_at)
    values (${list.id}, ${list.organisationId}, ${list.name}, ${list.at}, ${list.at})`.execute(trx);
}

export async function updateListName(trx: Trx, id: string, name: string, at: Date): Promise<void> {
  await sql`update service_lists set name = ${name}, updated_at = ${at} where id = ${id}`.execute(trx);
}

export async function removeList(trx: Trx, id: string): Promise<void> {
  await sql`delete from service_lists where id = ${id}`.execute(trx);
}

type Entry = { listId: string; serviceId: string; at: Date };

/** @returns whether it was not there before. */
export async function insertEntry(trx: Trx, entry: Entry & { accountId: string }): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into service_list_entries (list_id, service_id, saved_at, saved_by)
    values (${entry.listId}, ${entry.serviceId}, ${entry.at}, ${entry.accountId})
    on conflict do nothing`.execute(trx);
  return markListChanged(trx, entry, numAffectedRows);
}

/** @returns whether it was there. */
export async function removeEntry(trx: Trx, entry: Entry): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from service_list_entries where list_id = ${entry.listId} and service_id = ${entry.serviceId}`.execute(
    trx,
  );
  return markListChanged(trx, entry, numAffectedRows);
}

async function markListChanged(trx: Trx, { listId, at }: Entry, rows: bigint | undefined): Promise<boolean> {
  if (rows !== 1n) return false;
  await sql`update service_lists set updated_at = ${at} where id = ${listId}`.execute(trx);
  return true;
}

/** A service of a list; `document` is its JSON text with what was said of its room. */
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
export async function listSaved(
  db: Db,
  listId: string,
  part: { after?: number | undefined; limit: number },
): Promise<SavedService[]> {
  const { rows } = await sql<Omit<SavedService, 'document'> & StoredDocument>`
    select e.number::int, e.service_id as "serviceId", s.name, o.name as "organizationName", s.status,
      e.saved_at as "savedAt", a.name as "savedBy",
      ${documentColumns(sql`s.id`)}
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

/** Which of an organisation's lists have the service. */
export async function findListsWith(db: Db, organisationId: string, serviceId: string): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select l.id from service_lists l join service_list_entries e on e.list_id = l.id
    where l.organisation_id = ${organisationId} and e.service_id = ${serviceId}`.execute(db);
  return new Set(rows.map(({ id }) => id));
}
