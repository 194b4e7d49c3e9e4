import { sql } from 'kysely';
import type { Db, Trx } from '../../platform/database/index.ts';
import { recordEvents } from '../../platform/events/index.ts';
import type { Author, Change } from '../model/change.ts';

/** Writes changes down in the transaction that makes them, a row for each field; and, of services, that they changed. */
export async function recordChanges(trx: Trx, author: Author, changes: readonly Change[]): Promise<void> {
  const rows = changes.flatMap(({ fields, ...change }) => fields.map((field) => ({ ...change, ...field })));
  if (rows.length === 0) return;
  const { at, name, accountId = null, sourceId = null } = author;
  const given = rows.map((row) => ({
    resource_type: row.resourceType,
    resource_id: row.resourceId,
    action: row.action,
    field_name: row.name,
    previous_value: row.previous,
    replacement_value: row.replacement,
  }));
  await sql`
    insert into library_changes (resource_type, resource_id, at, action, field_name, previous_value,
      replacement_value, updated_by, account_id, source_id)
    select resource_type, resource_id, ${at}, action, field_name, previous_value, replacement_value, ${name},
      ${accountId}::uuid, ${sourceId}::uuid
    from json_populate_recordset(null::library_changes, ${JSON.stringify(given)}::json)`.execute(trx);
  const services = rows.filter((row) => row.resourceType === 'service').map((row) => row.resourceId);
  await recordEvents(trx, [...new Set(services)].map(serviceChanged), author.at);
}

function serviceChanged(id: string) {
  const path = `/api/library/services/${encodeURIComponent(id)}`;
  return { type: 'service.changed', resource: { type: 'service', id, path } } as const;
}

const maxMetadata = 100;

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
    order by number desc limit ${maxMetadata}`.execute(db);
  return rows;
}

/** An entry of HSDS's `metadata`: one field of one change. */
export type Metadata = { id: string; [name: string]: string };

/**
 * A document with what this site knows of its changes, before what its source tells of those there. Documents are stored
 * without ours, so that an export is what came in; one that was given out and comes back brings none of ours twice.
 */
export function withMetadata(document: string, ours: readonly Metadata[]): string {
  if (ours.length === 0) return document;
  if (!document.includes('"metadata":'))
    return `${document.slice(0, -1)},"metadata":${JSON.stringify(ours)}}`;
  const { metadata = [], ...rest } = JSON.parse(document) as { metadata?: { id?: unknown }[] };
  const known = new Set<unknown>(ours.map(({ id }) => id));
  const theirs = metadata.filter(({ id }) => id === undefined || !known.has(id));
  return JSON.stringify({ ...rest, metadata: [...ours, ...theirs] });
}
