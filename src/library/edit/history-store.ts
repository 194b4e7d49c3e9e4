import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';

/** One field of one change. */
export type ServiceChange = {
  number: number;
  id: string;
  at: Date;
  action: 'create' | 'update' | 'delete';
  field_name: string;
  previous_value: string;
  replacement_value: string;
  updated_by: string;
  accountId: string | null;
};

/** What changed in a service, the newest first. */
export async function listServiceChanges(
  db: Db,
  serviceId: string,
  { before, limit }: { before: number | undefined; limit: number },
): Promise<ServiceChange[]> {
  if (serviceId.includes('\0')) return [];
  const { rows } = await sql<ServiceChange>`
    select number, id, at, action, field_name, previous_value, replacement_value, updated_by,
      account_id as "accountId"
    from library_changes where resource_type = 'service' and resource_id = ${serviceId}
      and (${before ?? null}::bigint is null or number < ${before ?? null}) order by number desc limit ${limit}`.execute(
    db,
  );
  return rows;
}
