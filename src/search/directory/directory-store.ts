import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import { checkedOnSql } from '../follow/library-store.ts';

/** Whether the service is active, and somebody has checked its entry since this day. */
export async function hasDirectoryEntry(db: Db, serviceId: string, checkedSince: Date): Promise<boolean> {
  if (serviceId.includes('\0')) return false;
  const { rows } = await sql<object>`
    select from services s where s.id = ${serviceId} and s.status = 'active'
      and ${checkedOnSql} >= ${checkedSince.toISOString().slice(0, 10)}::date`.execute(db);
  return rows.length > 0;
}
