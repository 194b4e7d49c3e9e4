import { sql } from 'kysely';
import { type Account, type AccountRow, accountColumnsSql, accountFromRow } from '../../accounts/index.ts';
import type { Db, Trx } from '../../platform/database/index.ts';
import { dayMs } from '../../platform/durations.ts';
import { createIpAddressList, type IpAddressList } from '../../platform/ip-addresses/index.ts';

export type TokenSource = 'apikeys' | 'refresh' | 'apilogin';

/** The named key that a token came from. The first pair of an account has no name and allows everything. */
type TokenKey = { id: string; name: string; scopes: string[] };

export type StoredAccessToken = {
  account: Account;
  /** Null for the first pair of keys. */
  key: TokenKey | null;
  /** New keys were made, the named key was revoked, or something ended all keys of the account. */
  isEnded: boolean;
  source: TokenSource;
  issuedAt: Date;
  validTo: Date;
  /** Where it may be used from; undefined means anywhere. */
  allowedFrom: IpAddressList | undefined;
};

/**
 * The oldest epoch of the pair `r` whose access tokens may still work. If the pair has epoch 5, tokens of epoch 5 work, and tokens of
 * epoch 4 work until the previous refresh token ends.
 */
const oldestWorkingEpochSql = sql`(coalesce(r.epoch, 1) - case when r.previous_until is null then 0 else 1 end)`;

/** The tokens with these hashes (in base64), by their hash. Unknown ones are left out. */
export async function findAccessTokens(
  db: Db,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, StoredAccessToken>> {
  type Row = AccountRow & {
    hash: Buffer;
    keyId: string | null;
    keyName: string | null;
    scopes: string[] | null;
    isEnded: boolean;
    source: TokenSource;
    issuedAt: Date;
    validTo: Date;
    networks: string[] | null;
  };
  const hashBytes = hashes.map((hash) => Buffer.from(hash, 'base64'));
  // Raising `key_epoch` of the account ends the access tokens of all its keys. Raising `epoch` of one pair of keys ends those of that pair,
  // which have it in `pair_epoch`.
  const { rows } = await sql<Row>`
    select t.hash, t.key_id as "keyId", r.name as "keyName", r.scopes, t.source, t.issued_at as "issuedAt", r.networks,
      t.key_epoch <> a.key_epoch or (t.key_id is not null and r.id is null)
        or t.pair_epoch < ${oldestWorkingEpochSql} as "isEnded",
      case when t.pair_epoch < r.epoch then least(t.valid_to, r.previous_until) else t.valid_to end as "validTo",
      ${accountColumnsSql}
    from access_tokens t join accounts a on a.id = t.account_id left join organisations o on o.id = a.organisation_id
      left join refresh_tokens r on r.account_id = t.account_id
        and case when t.key_id is null then r.name is null else r.id = t.key_id end
    where t.hash = any(${hashBytes}::bytea[])`.execute(db);
  return new Map(
    rows.map(({ hash, keyId, keyName, scopes, isEnded, source, issuedAt, validTo, networks, ...account }) => {
      const token = {
        account: accountFromRow(account),
        key: keyId === null ? null : { id: keyId, name: keyName ?? '', scopes: scopes ?? [] },
        isEnded,
        source,
        issuedAt,
        validTo,
        allowedFrom: source === 'refresh' && networks?.length ? createIpAddressList(networks) : undefined,
      };
      return [hash.toString('base64'), token];
    }),
  );
}

export type NewAccessToken = { hash: Buffer; source: TokenSource; issuedAt: Date; validTo: Date };

/**
 * Stores an access token of the account's first pair of keys.
 * @returns false if the account is disabled or has no API access at this moment.
 */
export async function insertAccessToken(db: Db, accountId: string, token: NewAccessToken): Promise<boolean> {
  const { rows } = await sql`
    insert into access_tokens (hash, account_id, key_epoch, pair_epoch, source, issued_at, valid_to)
    select ${token.hash}, a.id, a.key_epoch, coalesce(r.epoch, 1), ${token.source}, ${token.issuedAt}, ${token.validTo}
    from accounts a left join refresh_tokens r on r.account_id = a.id and r.name is null
    where a.id = ${accountId} and a.api_access and a.disabled_at is null
    returning 1`.execute(db);
  return rows.length === 1;
}

export async function expireAccessToken(trx: Trx, hash: Buffer, at: Date): Promise<void> {
  await trx.updateTable('access_tokens').set({ valid_to: at }).where('hash', '=', hash).execute();
}

/** Shortens the life of an account's access tokens and replaced refresh tokens, as if `ms` had passed. */
export async function fastForwardExpiry(trx: Trx, accountId: string, ms: number): Promise<void> {
  const span = sql`${ms}::float8 * interval '1 millisecond'`;
  await sql`
    with moved as (
      update refresh_tokens set previous_until = previous_until - ${span} where account_id = ${accountId})
    update access_tokens set valid_to = valid_to - ${span} where account_id = ${accountId}`.execute(trx);
}

/** When the first of the account's working access tokens expires. */
export async function findNextExpiry(db: Db, accountId: string, now: Date): Promise<Date | undefined> {
  const token = db
    .selectFrom('access_tokens')
    .select('valid_to')
    .where('account_id', '=', accountId)
    .where('valid_to', '>', now)
    .orderBy('valid_to')
    .limit(1);
  return (await token.executeTakeFirst())?.valid_to;
}

/** A token that expired less than a day ago is refused as “expired” and not as “unknown”. */
const retentionAfterExpiryMs = dayMs;

export async function deleteExpiredAccessTokens(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - retentionAfterExpiryMs);
  await db.deleteFrom('access_tokens').where('valid_to', '<', before).execute();
}

/** Whose call it was, and with which named key; null for the first pair. */
export type KeyOfCall = { accountId: string; keyId: string | null };

/** Stores when and from where a key was last called with, unless a call less than a minute old is stored. */
export async function recordCall(
  db: Db,
  { accountId, keyId }: KeyOfCall,
  at: Date,
  ipAddress: string,
): Promise<void> {
  await sql`
    insert into key_calls (account_id, key_id, last_called_at, last_called_address)
    values (${accountId}, ${keyId}, ${at}, ${ipAddress})
    on conflict (account_id, key_id) do update
      set last_called_at = excluded.last_called_at, last_called_address = excluded.last_called_address
      where key_calls.last_called_at <= excluded.last_called_at - interval '1 minute'`.execute(db);
}
