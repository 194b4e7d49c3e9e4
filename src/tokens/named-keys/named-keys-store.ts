import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from '../../platform/database/index.ts';
import { isIdleSql, type RefreshTokenLimits } from '../refresh-tokens/refresh-tokens-store.ts';

/** What the holder sets for a named key. */
export type KeySettings = RefreshTokenLimits & {
  readonly name: string;
  readonly scopes: readonly string[];
};

export type NamedKey = KeySettings & {
  id: string;
  accountId: string;
  /** Raised when it is regenerated. */
  version: number;
  /** When its refresh token was made. */
  issuedAt: Date;
  /** Until when the previous refresh token still works; null if it does not. */
  previousUntil: Date | null;
  /** When the previous refresh token was last used. */
  previousUsedAt: Date | null;
  /** The last refresh or call, to the minute. */
  lastUsedAt: Date | null;
  lastUsedIpAddress: string | null;
  isIdle: boolean;
};

/** The named keys of an account by name. */
export function listNamedKeys(db: Db, accountId: string, now: Date): Promise<NamedKey[]> {
  return listKeys(db, accountId, now, sql`true`);
}

/** The named key of an account with this id. */
export async function findNamedKey(
  db: Db,
  accountId: string,
  id: string,
  now: Date,
): Promise<NamedKey | undefined> {
  const [key] = await listKeys(db, accountId, now, sql`r.id = ${id}::uuid`);
  return key;
}

async function listKeys(
  db: Db,
  accountId: string,
  now: Date,
  isWanted: RawBuilder<unknown>,
): Promise<NamedKey[]> {
  const { rows } = await sql<NamedKey>`
    select r.id, r.account_id as "accountId", r.name, r.scopes, r.networks, r.idle_days as "idleDays", r.epoch as version,
      r.issued_at as "issuedAt", ${isIdleSql(now)} as "isIdle",
      case when r.previous_until > ${now} then r.previous_until end as "previousUntil",
      r.previous_used_at as "previousUsedAt",
      greatest(r.last_used_at, c.last_called_at) as "lastUsedAt",
      case when r.last_used_at > c.last_called_at or c.last_called_at is null
        then r.last_used_address else c.last_called_address end as "lastUsedIpAddress"
    from refresh_tokens r left join key_calls c on c.key_id = r.id
    where r.account_id = ${accountId} and r.name is not null and ${isWanted}
    order by lower(r.name)`.execute(db);
  return rows;
}

export async function insertNamedKey(
  trx: Trx,
  key: KeySettings & { id: string; accountId: string; hash: Buffer; at: Date },
): Promise<void> {
  const { id, accountId, name, scopes, networks, idleDays, hash, at } = key;
  await trx
    .insertInto('refresh_tokens')
    .values({
      id,
      account_id: accountId,
      name,
      scopes: [...scopes],
      networks: [...networks],
      idle_days: idleDays,
      hash,
      issued_at: at,
    })
    .execute();
}

export async function updateNamedKey(trx: Trx, id: string, settings: KeySettings): Promise<void> {
  const { name, scopes, networks, idleDays } = settings;
  await trx
    .updateTable('refresh_tokens')
    .set({ name, scopes: [...scopes], networks: [...networks], idle_days: idleDays })
    .where('id', '=', id)
    .execute();
}

/**
 * Replaces the refresh token of a named key. The previous token and its access tokens work until `previousUntil`, or stop at
 * once if that is null. Any older refresh token stops at once.
 */
export async function replaceNamedToken(
  trx: Trx,
  id: string,
  { hash, at, previousUntil }: { hash: Buffer; at: Date; previousUntil: Date | null },
): Promise<void> {
  await trx
    .updateTable('refresh_tokens')
    .set(({ ref }) => ({
      previous_hash: previousUntil && ref('hash'),
      previous_until: previousUntil,
      previous_used_at: null,
      hash,
      issued_at: at,
      epoch: sql<number>`epoch + 1`,
      ...(previousUntil === null && { last_used_at: null, last_used_address: null }),
    }))
    .where('id', '=', id)
    .execute();
  // With an overlap, the same system goes on, and its networks stay known.
  if (previousUntil === null) await trx.deleteFrom('key_networks').where('key_id', '=', id).execute();
}

/** Ends the previous refresh token, with its access tokens. */
export async function endPreviousToken(trx: Trx, id: string): Promise<void> {
  await trx
    .updateTable('refresh_tokens')
    .set({ previous_hash: null, previous_until: null, previous_used_at: null })
    .where('id', '=', id)
    .execute();
}

export async function deleteNamedKey(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('refresh_tokens').where('id', '=', id).execute();
}
