import type { Db } from '../../../platform/database/index.ts';

const columns = [
  'number',
  'id',
  'at',
  'action',
  'field_name',
  'previous_value',
  'replacement_value',
  'updated_by',
  'account_id as accountId',
] as const;

/** Changes of a service, a row for each field, the newest first. */
export async function listServiceChanges(
  db: Db,
  serviceId: string,
  { before, limit }: { before: number | undefined; limit: number },
) {
  if (serviceId.includes('\0')) return [];
  return db
    .selectFrom('library_changes')
    .select(columns)
    .$narrowType<{ action: 'create' | 'update' | 'delete' }>()
    .where('resource_type', '=', 'service')
    .where('resource_id', '=', serviceId)
    .$if(before !== undefined, (query) => query.where('number', '<', before!))
    .orderBy('number', 'desc')
    .limit(limit)
    .execute();
}
