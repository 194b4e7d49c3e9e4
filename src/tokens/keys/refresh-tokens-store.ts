import { sql } from 'kysely';
import type { Db, Trx } from '../../platform/database/index.ts';
import type { NewAccessToken } from '../model/access-tokens-store.ts';

/** The limits that the holder sets for a refresh token and for the access tokens that come from it. */
export type RefreshTokenLimits = {
  /** Where they may be used from; empty means anywhere. */
  readonly networks: readonly string[];
  /** Days without a refresh after which the refresh token stops working; null means never. */
  readonly idleDays: number | null;
};

/** One use of a refresh token, and where it came from. */
export type RefreshUse = { readonly hash: Buffer; readonly address: string; readonly network: string };

/** Whether the refresh token `r` was not used for longer than its holder allows. */
const isIdle = (now: Date) => sql`
  coalesce(r.idle_days * interval '24 hours' <= ${now}::timestamptz - coalesce(r.last_used_at, r.issued_at), false)`;

/**
 * Exchanges a refresh token for an access token in one statement. The access token gets the epoch that this statement sees.
 * If new keys are made at the same moment, the token therefore ends when they are committed. `allowedNetworks` must be the list in force.
 * @returns whether this network is new for the refresh token; undefined if it was not exchanged.
 */
export async function exchangeRefreshToken(
  db: Db,
  use: RefreshUse,
  token: NewAccessToken,
  allowedNetworks: readonly string[],
): Promise<{ isNewNetwork: boolean } | undefined> {
  const { rows } = await sql<{ isNewNetwork: boolean }>`
    with allowed as (
      select a.id, a.key_epoch from refresh_tokens r join accounts a on a.id = r.account_id
      where r.hash = ${use.hash} and a.api_access and a.disabled_at is null
        and r.networks = ${allowedNetworks}::text[] and not ${isIdle(token.issuedAt)}),
    used as (
      -- At most once a minute, by the first to lock the row: refreshes of one account must not queue for it. Whether it is
      -- due is checked on the locked row, which is the newest.
      update refresh_tokens set last_used_at = ${token.issuedAt}, last_used_address = ${use.address}
      where hash = (
        select r.hash from refresh_tokens r
        where r.hash = ${use.hash} and exists (select from allowed)
          and (r.last_used_at is null or r.last_used_at < ${token.issuedAt}::timestamptz - interval '1 minute')
        for no key update skip locked))
    insert into access_tokens (hash, account_id, key_epoch, source, issued_at, valid_to)
    select ${token.hash}, id, key_epoch, ${token.source}, ${token.issuedAt}, ${token.validTo} from allowed
    returning not exists (
      select from key_networks k
      where k.account_id = access_tokens.account_id and k.network = ${use.network} and not k.refused) as "isNewNetwork"`.execute(
    db,
  );
  return rows[0];
}

export type RefreshTokenState = {
  accountId: string;
  name: string;
  apiAccess: boolean;
  networks: string[];
  isIdle: boolean;
};

/** Finds whether a refresh token would work. @returns undefined if it is unknown. */
export async function findRefreshTokenState(
  db: Db,
  hash: Buffer,
  now: Date,
): Promise<RefreshTokenState | undefined> {
  const { rows } = await sql<RefreshTokenState>`
    select a.id as "accountId", a.name, a.api_access as "apiAccess", r.networks, ${isIdle(now)} as "isIdle"
    from refresh_tokens r join accounts a on a.id = r.account_id
    where r.hash = ${hash} and a.disabled_at is null`.execute(db);
  return rows[0];
}

export async function findSealedRefreshToken(db: Db, accountId: string): Promise<Buffer | undefined> {
  const token = db.selectFrom('refresh_tokens').select('sealed').where('account_id', '=', accountId);
  return (await token.executeTakeFirst())?.sealed;
}

type NewRefreshToken = { hash: Buffer; sealed: Buffer; at: Date };

/** Stores the account's refresh token, unless it has one already. */
export async function insertRefreshToken(db: Db, accountId: string, token: NewRefreshToken): Promise<void> {
  await insertion(db, accountId, token)
    .onConflict((conflict) => conflict.column('account_id').doNothing())
    .execute();
}

/** Replaces the account's refresh token, which stops working. The new one has the same limits. */
export async function replaceRefreshToken(
  trx: Trx,
  accountId: string,
  token: NewRefreshToken,
): Promise<void> {
  const { hash, sealed, at } = token;
  await insertion(trx, accountId, token)
    .onConflict((conflict) =>
      conflict
        .column('account_id')
        .doUpdateSet({ hash, sealed, issued_at: at, last_used_at: null, last_used_address: null }),
    )
    .execute();
}

function insertion(db: Db, accountId: string, { hash, sealed, at }: NewRefreshToken) {
  return db.insertInto('refresh_tokens').values({ account_id: accountId, hash, sealed, issued_at: at });
}

/** Changes the limits of the account's refresh token, which must exist. */
export async function updateRefreshTokenLimits(
  trx: Trx,
  accountId: string,
  limits: RefreshTokenLimits,
): Promise<void> {
  await trx
    .updateTable('refresh_tokens')
    .set({ networks: [...limits.networks], idle_days: limits.idleDays })
    .where('account_id', '=', accountId)
    .execute();
}
