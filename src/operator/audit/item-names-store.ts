import { sql } from 'kysely';
import { wasEverSensitive } from '../../library/index.ts';
import type { Db } from '../../platform/database/index.ts';
import { isUuid } from '../../platform/ids/index.ts';

/** What an operator calls the item of an entry, by its type and id: a referral’s reference, or a name. */
export type ItemNames = ReadonlyMap<string, string>;

/** The names of the items that still exist. A sensitive service is not named: beside who did it, that tells whom it works with. */
export async function findItemNames(db: Db, ids: readonly string[]): Promise<ItemNames> {
  const uuids = ids.filter(isUuid);
  const { rows } = await sql<{ item: string; name: string }>`
    select 'account ' || id as item, name from accounts where id = any(${uuids}::uuid[])
    union all
    select 'referral ' || id, 'Referral ' || reference from referrals where id = any(${uuids}::uuid[])
    union all
    select 'service ' || id, name from services where id = any(${ids}::text[])
      and not ${wasEverSensitive(sql`services.id`)}`.execute(db);
  return new Map(rows.map(({ item, name }) => [item, name]));
}
