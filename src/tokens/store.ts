import { sql } from 'kysely';
import { type Account, accountColumns, accountFromRow } from '../accounts/index.ts';
import type { Db, Trx } from '../platform/database/index.ts';

export type TokenSource = 'apikeys' | 'refresh' | 'apilogin';

export type StoredAccessToken = {
  account: Account;
  keyEpoch: number;
  source: TokenSource;
  issuedAt: Date;
  validTo: Date;
};

export async function findAccessToken(db: Db, hash: Buffer): Promise<StoredAccessToken | undefined> {
  type Row = Parameters<typeof accountFromRow>[0] & {
    tokenEpoch: number;
    source: TokenSource;
    issuedAt: Date;
    validTo: Date;
  };
  const { rows } = await sql<Row>`
    select t.key_epoch as "tokenEpoch", t.source, t.issued_at as "issuedAt", t.valid_to as "validTo", ${accountColumns}
    from access_tokens t join accounts a on a.id = t.account_id left join organisations o on o.id = a.organisation_id
    where t.hash = ${hash}`.execute(db);
  if (!rows[0]) return undefined;
  const { tokenEpoch, source, issuedAt, validTo, ...account } = rows[0];
  return { account: accountFromRow(account), keyEpoch: tokenEpoch, source, issuedAt, validTo };
}

type NewAccessToken = { hash: Buffer; source: TokenSource; issuedAt: Date; validTo: Date };

/** @returns false where the account is disabled or has no API access at this moment. */
export async function insertAccessToken(db: Db, accountId: string, token: NewAccessToken): Promise<boolean> {
  const { rows } = await sql`
    insert into access_tokens (hash, account_id, key_epoch, source, issued_at, valid_to)
    select ${token.hash}, id, key_epoch, ${token.source}, ${token.issuedAt}, ${token.validTo} from accounts
    where id = ${accountId} and api_access and disabled_at is null
    returning 1`.execute(db);
  return rows.length === 1;
}

/**
 * Exchanges a refresh token for an access token in one statement: the new token belongs to the epoch that this
 * statement sees, so one that races a regeneration is dead as soon as that commits.
 * @returns false where the refresh token is unknown, or its account is disabled or has no API access.
 */
export async function exchangeRefreshToken(
  db: Db,
  refreshHash: Buffer,
  token: NewAccessToken,
  address: string,
): Promise<boolean> {
  const { rows } = await sql`
    with allowed as (
      select a.id, a.key_epoch, r.last_used_at from refresh_tokens r join accounts a on a.id = r.account_id
      where r.hash = ${refreshHash} and a.api_access and a.disabled_at is null),
    used as (
      -- At most once a minute: many refreshes of one account must not queue for its row.
      update refresh_tokens set last_used_at = ${token.issuedAt}, last_used_address = ${address}
      where hash = ${refreshHash} and exists (
        select 1 from allowed where last_used_at is null or last_used_at < ${token.issuedAt}::timestamptz - interval '1 minute'))
    insert into access_tokens (hash, account_id, key_epoch, source, issued_at, valid_to)
    select ${token.hash}, id, key_epoch, ${token.source}, ${token.issuedAt}, ${token.validTo} from allowed
    returning 1`.execute(db);
  return rows.length === 1;
}

/** Why a refresh token was turned away: whether it is known, and its account merely has no API access. */
export async function isWithoutApiAccess(db: Db, refreshHash: Buffer): Promise<boolean> {
  const { rows } = await sql`
    select 1 from refresh_tokens r join accounts a on a.id = r.account_id
    where r.hash = ${refreshHash} and a.disabled_at is null and not a.api_access`.execute(db);
  return rows.length === 1;
}

export async function findSealedRefreshToken(db: Db, accountId: string): Promise<Buffer | undefined> {
  const { rows } = await sql<{ sealed: Buffer }>`
    select sealed from refresh_tokens where account_id = ${accountId}`.execute(db);
  return rows[0]?.sealed;
}

type NewRefreshToken = { hash: Buffer; sealed: Buffer; at: Date };

/** Makes the account's refresh token; of two that are made at once the first stays. */
export async function insertRefreshToken(db: Db, accountId: string, token: NewRefreshToken): Promise<void> {
  await sql`${insertion(accountId, token)} on conflict (account_id) do nothing`.execute(db);
}

/** Puts another refresh token in the place of the account's, whose use ends. */
export async function replaceRefreshToken(
  trx: Trx,
  accountId: string,
  token: NewRefreshToken,
): Promise<void> {
  await sql`
    ${insertion(accountId, token)}
    on conflict (account_id) do update set
      hash = excluded.hash, sealed = excluded.sealed, issued_at = excluded.issued_at,
      last_used_at = null, last_used_address = null`.execute(trx);
}

function insertion(accountId: string, { hash, sealed, at }: NewRefreshToken) {
  return sql`
    insert into refresh_tokens (account_id, hash, sealed, issued_at) values (${accountId}, ${hash}, ${sealed}, ${at})`;
}

/** A day after its end a token can be forgotten; until then it is told apart from one that never was. */
export async function deleteExpiredAccessTokens(db: Db, now: Date): Promise<void> {
  await sql`delete from access_tokens where valid_to < ${now}::timestamptz - interval '1 day'`.execute(db);
}
