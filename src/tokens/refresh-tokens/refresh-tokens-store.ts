import { type RawBuilder, sql } from 'kysely';
import { fullNameColumnSql } from '../../accounts/index.ts';
import type { Db, Trx } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids/index.ts';
import { isBeingCheckedSql } from '../../platform/restore-check/index.ts';
import type { NewAccessToken } from '../model/access-tokens-store.ts';

// A row of refresh_tokens is a key: a refresh token, and the access tokens that come from it. A key without a name is the account’s
// first pair; the named keys are in named-keys-store.ts.

/** The limits that the holder sets for a refresh token and for the access tokens that come from it. */
export type RefreshTokenLimits = {
  /** Where they may be used from; empty means anywhere. */
  readonly networks: readonly string[];
  /** Days without a refresh after which the refresh token stops working; null means never. */
  readonly idleDays: number | null;
};

/** One use of a refresh token, and where it came from. */
export type RefreshTokenUse = { readonly hash: Buffer; readonly ipAddress: string; readonly network: string };

/** Whether the key `r` has this refresh token: its present one, or the one before while that still works. */
export const hasTokenSql = (hash: Buffer, now: Date): RawBuilder<boolean> => sql`
  (r.hash = ${hash} or (r.previous_hash = ${hash} and r.previous_until > ${now}))`;

/** Whether the key `r` was not used for longer than its holder allows. */
export const isIdleSql = (now: Date): RawBuilder<boolean> => sql`
  coalesce(r.idle_days * interval '24 hours' <= ${now}::timestamptz - coalesce(r.last_used_at, r.issued_at), false)`;

/** Until when the new access token works, and whether the refresh token was used in this network for the first time. */
export type ExchangeResult = { validTo: Date; isNewNetwork: boolean };

/**
 * Exchanges a refresh token for an access token in one statement. The access token gets the epochs that this statement sees, so it
 * ends as soon as new keys that are made at the same moment are committed. If the refresh token is a named key’s previous one, the
 * access token ends with it.
 * @param allowedNetworks must be the key's list as it is stored.
 * @returns undefined if the refresh token may not be used, or while a restored site is being checked.
 */
export async function exchangeRefreshToken(
  db: Db,
  use: RefreshTokenUse,
  token: NewAccessToken,
  allowedNetworks: readonly string[],
): Promise<ExchangeResult | undefined> {
  const { hash, ipAddress, network } = use;
  const { issuedAt, validTo, source } = token;
  const { rows } = await sql<ExchangeResult>`
    with usable_key as (
      select a.id, a.key_epoch, r.id as refresh_token_id, case when r.name is not null then r.id end as key_id,
        r.epoch - (r.hash <> ${hash})::int as pair_epoch, case when r.hash <> ${hash} then r.previous_until end as ends_at
      from refresh_tokens r join accounts a on a.id = r.account_id
      where ${hasTokenSql(hash, issuedAt)} and a.api_access and a.disabled_at is null
        and r.networks = ${allowedNetworks}::text[] and not ${isIdleSql(issuedAt)} and not ${isBeingCheckedSql}),
    noted_use as (
      -- At most once a minute, by the first to lock the row: refreshes of one key must not queue for it. Whether it is
      -- due is checked on the locked row, which is the newest.
      update refresh_tokens set last_used_at = ${issuedAt}, last_used_address = ${ipAddress},
        previous_used_at = case when hash = ${hash} then previous_used_at else ${issuedAt} end
      where id = (
        select r.id from refresh_tokens r
        where ${hasTokenSql(hash, issuedAt)} and exists (select from usable_key)
          and coalesce(case when r.hash = ${hash} then r.last_used_at else r.previous_used_at end, '-infinity')
            < ${issuedAt}::timestamptz - interval '1 minute'
        for no key update skip locked))
    insert into access_tokens (hash, account_id, key_epoch, key_id, pair_epoch, source, issued_at, valid_to)
    select ${token.hash}, id, key_epoch, key_id, pair_epoch, ${source}, ${issuedAt}, least(${validTo}, ends_at)
    from usable_key
    returning valid_to as "validTo", not exists (
      select from key_networks k
      where k.key_id = (select refresh_token_id from usable_key) and k.network = ${network} and not k.refused) as "isNewNetwork"`.execute(
    db,
  );
  return rows[0];
}

export type RefreshTokenState = {
  accountId: string;
  name: string;
  hasApiAccess: boolean;
  networks: string[];
  isIdle: boolean;
};

/** What decides whether a refresh token works. @returns undefined if it is unknown, or its account disabled. */
export async function findRefreshTokenState(
  db: Db,
  hash: Buffer,
  now: Date,
): Promise<RefreshTokenState | undefined> {
  const { rows } = await sql<RefreshTokenState>`
    select a.id as "accountId", ${fullNameColumnSql} as name, a.api_access as "hasApiAccess", r.networks, ${isIdleSql(now)} as "isIdle"
    from refresh_tokens r join accounts a on a.id = r.account_id
    where ${hasTokenSql(hash, now)} and a.disabled_at is null`.execute(db);
  return rows[0];
}

/** A key of an account that has API access and is not disabled. */
export type UsableKey = {
  accountId: string;
  accountName: string;
  /** Null for the first pair of keys. */
  name: string | null;
  issuedAt: Date;
  lastUsedAt: Date | null;
};

export async function listUsableKeys(db: Db, limit: number): Promise<UsableKey[]> {
  const { rows } = await sql<UsableKey>`
    select a.id as "accountId", ${fullNameColumnSql} as "accountName", r.name, r.issued_at as "issuedAt",
      r.last_used_at as "lastUsedAt"
    from refresh_tokens r join accounts a on a.id = r.account_id
    where a.api_access and a.disabled_at is null
    order by "accountName", a.id, r.name nulls first limit ${limit}`.execute(db);
  return rows;
}

/** The sealed token of the account's first pair of keys. */
export async function findSealedTokenOfFirstPair(db: Db, accountId: string): Promise<Buffer | undefined> {
  const token = db
    .selectFrom('refresh_tokens')
    .select('sealed')
    .where('account_id', '=', accountId)
    .where('name', 'is', null);
  return (await token.executeTakeFirst())?.sealed ?? undefined;
}

type FirstPairToken = { hash: Buffer; sealed: Buffer; at: Date };

/**
 * Stores the refresh token of the account’s first pair, unless it has one already. The first pair has no name, and the index has
 * `nulls not distinct`, so an account has one.
 */
export async function insertFirstPair(
  db: Db,
  accountId: string,
  { hash, sealed, at }: FirstPairToken,
): Promise<void> {
  await db
    .insertInto('refresh_tokens')
    .values({ id: newId(at.getTime()), account_id: accountId, hash, sealed, issued_at: at })
    .onConflict((conflict) => conflict.columns(['account_id', 'name']).doNothing())
    .execute();
}

/**
 * Replaces the refresh token of the account's first pair, which stops working with every access token of the pair. The new
 * one has the same limits.
 */
export async function replaceFirstPair(trx: Trx, accountId: string, token: FirstPairToken): Promise<void> {
  await insertFirstPair(trx, accountId, token);
  const { hash, sealed, at } = token;
  await trx
    .updateTable('refresh_tokens')
    .set({
      hash,
      sealed,
      issued_at: at,
      last_used_at: null,
      last_used_address: null,
      epoch: sql<number>`epoch + 1`,
    })
    .where('account_id', '=', accountId)
    .where('name', 'is', null)
    .execute();
}

/** Changes the limits of the account's first pair, which must exist. */
export async function updateFirstPairLimits(
  trx: Trx,
  accountId: string,
  limits: RefreshTokenLimits,
): Promise<void> {
  await trx
    .updateTable('refresh_tokens')
    .set({ networks: [...limits.networks], idle_days: limits.idleDays })
    .where('account_id', '=', accountId)
    .where('name', 'is', null)
    .execute();
}
