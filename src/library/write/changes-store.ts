import { sql } from 'kysely';
import type { Trx } from '../../platform/database/index.ts';
import { recordEvents } from '../../platform/events/index.ts';
import type { Author, Change } from '../model/change.ts';
import { withoutConfidentialPlaces } from './confidential-places-store.ts';

/** Records changes in the transaction that makes them, a row for each field, with an event for each changed service. */
export async function recordChanges(trx: Trx, author: Author, changes: readonly Change[]): Promise<void> {
  const shown = await withoutConfidentialPlaces(trx, changes);
  const rows = shown.flatMap(({ fields, ...change }) => fields.map((field) => ({ ...change, ...field })));
  if (rows.length === 0) return;
  const { at, name, accountId = null, sourceId = null } = author;
  const records = rows.map((row) => ({
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
    from json_populate_recordset(null::library_changes, ${JSON.stringify(records)}::json)`.execute(trx);
  const services = rows.filter((row) => row.resourceType === 'service').map((row) => row.resourceId);
  await recordEvents(trx, [...new Set(services)].map(serviceChanged), author.at);
}

function serviceChanged(id: string) {
  const path = `/api/library/services/${encodeURIComponent(id)}`;
  return { type: 'service.changed', resource: { type: 'service', id, path } } as const;
}
