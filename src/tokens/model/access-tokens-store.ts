import { sql } from 'kysely';
import { type Account, accountColumns, accountFromRow } from '../../accounts/index.ts';
import { type AddressList, addressList } from '../../platform/addresses/index.ts';
import type { Db, Trx } from '../../platform/database/index.ts';
import { dayMs } from '../../platform/durations.ts';

export type TokenSource = 'apikeys' | 'refresh' | 'apilogin';

export type StoredAccessToken = {
  account: Account;
  /** Counts how often the account's keys were replaced. Tokens of an earlier epoch do not work. */
  keyEpoch: number;
  source: TokenSource;
  issuedAt: Date;
  validTo: Date;
  /** Where it may be used from; undefined means anywhere. */
  allowedFrom: AddressList | undefined;
};

/** The tokens with these hashes (in base64), by their hash. Unknown ones are left out. */
export async function findAccessTokens(
  db: Db,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, StoredAccessToken>> {
  type Row = Parameters<typeof accountFromRow>[0] & {
    hash: Buffer;
    tokenEpoch: number;
    source: TokenSource;
    issuedAt: Date;
    validTo: Date;
    networks: string[] | null;
  };
  const wanted = hashes.map((hash) => Buffer.from(hash, 'base64'));
  const { rows } = await sql<Row>`
    select t.hash, t.key_epoch as "tokenEpoch", t.source, t.issued_at as "issuedAt", t.valid_to as "validTo", r.networks,
      ${accountColumns}
    from access_tokens t join accounts a on a.id = t.account_id left join organisations o on o.id = a.organisation_id
      left join refresh_tokens r on t.source = 'refresh' and r.account_id = t.account_id
    where t.hash = any(${wanted}::bytea[])`.execute(db);
  return new Map(
    rows.map(({ hash, tokenEpoch: keyEpoch, source, issuedAt, validTo, networks, ...account }) => {
      const allowedFrom = networks?.length ? addressList(networks) : undefined;
      const token = { account: accountFromRow(account), keyEpoch, source, issuedAt, validTo, allowedFrom };
      return [hash.toString('base64'), token];
    }),
  );
}

export type NewAccessToken = { hash: Buffer; source: TokenSource; issuedAt: Date; validTo: Date };

/** @returns false if the account is disabled or has no API access at this moment. */
export async function insertAccessToken(db: Db, accountId: string, token: NewAccessToken): Promise<boolean> {
  const { rows } = await sql`
    insert into access_tokens (hash, account_id, key_epoch, source, issued_at, valid_to)
    select ${token.hash}, id, key_epoch, ${token.source}, ${token.issuedAt}, ${token.validTo} from accounts
    where id = ${accountId} and api_access and disabled_at is null
    returning 1`.execute(db);
  return rows.length === 1;
}

export async function expireAccessToken(trx: Trx, hash: Buffer, at: Date): Promise<void> {
  await trx.updateTable('access_tokens').set({ valid_to: at }).where('hash', '=', hash).execute();
}

/** Brings the expiry of an account's access tokens nearer. */
export async function bringExpiryForward(trx: Trx, accountId: string, ms: number): Promise<void> {
  await sql`
    update access_tokens set valid_to = valid_to - ${ms}::float8 * interval '1 millisecond'
    where account_id = ${accountId}`.execute(trx);
}

/** When the first of an account's access tokens expires that has not yet. */
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

/** For a day after a token expires, its caller is told “expired” and not “unknown”. */
const keptAfterExpiryMs = dayMs;

export async function deleteExpiredAccessTokens(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - keptAfterExpiryMs);
  await db.deleteFrom('access_tokens').where('valid_to', '<', before).execute();
}

/** Stores when and from where an account last called, unless a call of the same minute is stored. */
export async function recordCall(db: Db, accountId: string, at: Date, address: string): Promise<void> {
  await sql`
    insert into key_calls (account_id, last_called_at, last_called_address) values (${accountId}, ${at}, ${address})
    on conflict (account_id) do update
      set last_called_at = excluded.last_called_at, last_called_address = excluded.last_called_address
      where key_calls.last_called_at <= excluded.last_called_at - interval '1 minute'`.execute(db);
}
