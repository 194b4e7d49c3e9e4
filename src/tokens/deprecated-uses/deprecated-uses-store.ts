import { sql } from 'kysely';
import { anyOfValuesSql, type Db, type Trx } from '../../platform/database/index.ts';
import type { KeyOfCall } from '../model/access-tokens-store.ts';

export type DeprecatedUse = KeyOfCall & {
  /** The name of the key; null for the first pair. */
  keyName: string | null;
  /** The id of the `Deprecation`. */
  deprecationId: string;
  /** The method and route of the first such call on that day. */
  lastCall: string;
  /** In UTC, such as 2026-11-28. */
  lastUsedOn: string;
  /** When the holder last got an email about it. */
  toldAt: Date | null;
};

/** Stores that a key used something deprecated, unless such a use is stored for this day. */
export async function storeDeprecatedUse(
  db: Db,
  {
    accountId,
    keyId,
    deprecationId,
    lastCall,
    lastUsedOn,
  }: Pick<DeprecatedUse, 'accountId' | 'keyId' | 'deprecationId' | 'lastCall' | 'lastUsedOn'>,
): Promise<void> {
  await sql`
    insert into deprecated_uses (account_id, key_id, deprecated, last_call, last_used_on)
    values (${accountId}, ${keyId}, ${deprecationId}, ${lastCall}, ${lastUsedOn})
    on conflict (account_id, key_id, deprecated) do update
      set last_call = excluded.last_call, last_used_on = excluded.last_used_on
      where deprecated_uses.last_used_on < excluded.last_used_on`.execute(db);
}

const selectUses = (db: Db, deprecationIds: readonly string[], since: string) =>
  db
    .selectFrom('deprecated_uses as u')
    .leftJoin('refresh_tokens as r', 'r.id', 'u.key_id')
    .select([
      'u.account_id as accountId',
      'u.key_id as keyId',
      'r.name as keyName',
      'u.deprecated as deprecationId',
      'u.last_call as lastCall',
      'u.last_used_on as lastUsedOn',
      'u.told_at as toldAt',
    ])
    .where('u.deprecated', '=', anyOfValuesSql([...deprecationIds]))
    .where('u.last_used_on', '>=', since)
    .orderBy('u.account_id')
    .orderBy('r.name', (order) => order.asc().nullsFirst());

/** The uses of these deprecations by the keys of an account, since a day. */
export function listDeprecatedUses(
  db: Db,
  accountId: string,
  deprecationIds: readonly string[],
  since: string,
): Promise<DeprecatedUse[]> {
  return selectUses(db, deprecationIds, since).where('u.account_id', '=', accountId).execute();
}

/** Locks the uses of these deprecations by all keys, since a day. Accounts whose keys do not work are left out. */
export function lockDeprecatedUses(
  trx: Trx,
  deprecationIds: readonly string[],
  since: string,
): Promise<DeprecatedUse[]> {
  return selectUses(trx, deprecationIds, since)
    .innerJoin('accounts as a', 'a.id', 'u.account_id')
    .where('a.disabled_at', 'is', null)
    .where('a.api_access', '=', true)
    .forUpdate('u')
    .execute();
}

export async function markTold(
  trx: Trx,
  { accountId, keyId, deprecationId }: DeprecatedUse,
  at: Date,
): Promise<void> {
  await trx
    .updateTable('deprecated_uses')
    .set({ told_at: at })
    .where('account_id', '=', accountId)
    .where('key_id', 'is not distinct from', keyId)
    .where('deprecated', '=', deprecationId)
    .execute();
}
