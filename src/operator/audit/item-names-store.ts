import { sql } from 'kysely';
import { wasEverSensitiveSql } from '../../library/index.ts';
import type { Db } from '../../platform/database/index.ts';
import { isUuid } from '../../platform/ids/index.ts';

/** What an operator calls the items of entries, by their ids: a referral by its reference, others by their name. */
export type ItemNames = ReadonlyMap<string, { type: string; name: string }>;

/** The names of the items that still exist. A sensitive service is not named: beside a person, its name would reveal whom it works with. */
export async function findItemNames(db: Db, ids: readonly string[]): Promise<ItemNames> {
  const uuids = ids.filter(isUuid);
  const { rows } = await sql<{ id: string; type: string; name: string }>`
    select id::text, 'account' as type, name from accounts where id = any(${uuids}::uuid[])
    union all
    select id::text, 'organisation', name from organisations where id = any(${uuids}::uuid[])
    union all
    select id::text, 'referral', reference from referrals where id = any(${uuids}::uuid[])
    union all
    select ods_code, 'practice', name from practices where ods_code = any(${ids}::text[])
    union all
    select id, 'service', name from services where id = any(${ids}::text[])
      and not ${wasEverSensitiveSql(sql`services.id`)}`.execute(db);
  return new Map(rows.map(({ id, ...item }) => [id, item]));
}
