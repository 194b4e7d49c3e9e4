import { sql } from 'kysely';
import { type Columns, copyRows, type Db, type Trx } from '../../platform/database/index.ts';
import { recordEvents } from '../../platform/events/index.ts';
import type { Author, Change } from './change.ts';
import type { Metadata } from './with-metadata.ts';

/** Writes changes down in the transaction that makes them, a row for each field; and, of services, that they changed. */
export async function recordChanges(trx: Trx, author: Author, changes: readonly Change[]): Promise<void> {
  const rows = changes.flatMap(({ fields, ...change }) => fields.map((field) => ({ ...change, ...field })));
  if (rows.length === 0) return;
  const { at, name, accountId = null, sourceId = null } = author;
  const columns = {
    resource_type: ({ resourceType }, into) => into.text(resourceType),
    resource_id: ({ resourceId }, into) => into.text(resourceId),
    at: (_, into) => into.moment(at),
    action: ({ action }, into) => into.text(action),
    field_name: (row, into) => into.text(row.name),
    previous_value: ({ previous }, into) => into.text(previous),
    replacement_value: ({ replacement }, into) => into.text(replacement),
    updated_by: (_, into) => into.text(name),
    account_id: (_, into) => into.uuid(accountId),
    source_id: (_, into) => into.uuid(sourceId),
  } satisfies Columns<(typeof rows)[number]>;
  await copyRows(trx, 'library_changes', columns, rows);
  const services = rows.filter((row) => row.resourceType === 'service').map((row) => row.resourceId);
  await recordEvents(trx, [...new Set(services)].map(serviceChanged), author.at);
}

function serviceChanged(id: string) {
  const path = `/api/library/services/${encodeURIComponent(id)}`;
  return { type: 'service.changed', resource: { type: 'service', id, path } } as const;
}

const mostMetadata = 100;

/**
 * The latest changes of a service, the newest first, as HSDS has them: who changed which field, and when. What it said
 * before was perhaps taken out because it was nobody's business, so the values stay in the history, which is for those
 * who edit the service. HSDS asks for them as texts: they are empty.
 */
export async function findMetadata(db: Db, serviceId: string): Promise<Metadata[]> {
  const { rows } = await sql<Metadata>`
    select id, resource_type, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as last_action_date,
      action as last_action_type, field_name, '' as previous_value, '' as replacement_value, updated_by
    from library_changes where resource_type = 'service' and resource_id = ${serviceId}
    order by number desc limit ${mostMetadata}`.execute(db);
  return rows;
}
