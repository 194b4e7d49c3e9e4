import { sql } from 'kysely';
import type { Db, Trx } from '../../platform/database/index.ts';
import { hasTokenSql, type RefreshTokenUse } from './refresh-tokens-store.ts';

/** When and from where the keys of an account were last used, to the minute, and the limits of its first pair. */
export type KeyActivity = {
  accountId: string;
  /** When the refresh token of its first pair was made; null if it has none. */
  issuedAt: Date | null;
  /** The only networks from which it may be refreshed; empty if any. */
  allowedNetworks: string[];
  /** After this many days without a refresh it stops working; null if never. */
  maxIdleDays: number | null;
  /** The last refresh. */
  refreshedAt: Date | null;
  refreshedIpAddress: string | null;
  /** The last call with an access token of the first pair. */
  calledAt: Date | null;
  calledIpAddress: string | null;
  /** The last refresh or call with any key of the account. */
  lastUsedAt: Date | null;
  lastUsedIpAddress: string | null;
};

/** The key activity of these accounts, by account. An account that never had keys or made a call is left out. */
export async function findKeyActivity(
  db: Db,
  accountIds: readonly string[],
): Promise<Map<string, KeyActivity>> {
  const { rows } = await sql<KeyActivity>`
    select a.id as "accountId", r.issued_at as "issuedAt", coalesce(r.networks, '{}') as "allowedNetworks",
      r.idle_days as "maxIdleDays", r.last_used_at as "refreshedAt", r.last_used_address as "refreshedIpAddress",
      c.last_called_at as "calledAt", c.last_called_address as "calledIpAddress",
      used.at as "lastUsedAt", used.address as "lastUsedIpAddress"
    from accounts a left join refresh_tokens r on r.account_id = a.id and r.name is null
      left join key_calls c on c.account_id = a.id and c.key_id is null
      left join lateral (
        select last_called_at as at, last_called_address as address, 1 as preference from key_calls where account_id = a.id
        union all select last_used_at, last_used_address, 2 from refresh_tokens
        where account_id = a.id and last_used_at is not null
        order by at desc, preference limit 1) used on true
    where a.id = any(${accountIds}::uuid[]) and (r.id is not null or used.at is not null)`.execute(db);
  return new Map(rows.map((activity) => [activity.accountId, activity]));
}

/** Counts the access tokens of the account's first pair of keys that work now. */
export async function countLiveAccessTokens(db: Db, accountId: string, now: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from access_tokens t join accounts a on a.id = t.account_id
      left join refresh_tokens r on r.account_id = a.id and r.name is null
    where a.id = ${accountId} and t.key_id is null and t.key_epoch = a.key_epoch
      and t.pair_epoch = coalesce(r.epoch, 1) and t.valid_to > ${now}`.execute(db);
  return rows[0]!.count;
}

/** More networks than any client uses. If there are more, the oldest are forgotten and count as new again. */
const maxPerKey = 1000;

export type NetworkSighting = { at: Date; refused: boolean };

/** Whether the key was used in this network before, or refused there. */
export async function isKnownNetwork(
  db: Db,
  { hash, network }: RefreshTokenUse,
  { at, refused }: NetworkSighting,
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from key_networks k join refresh_tokens r on r.id = k.key_id
    where ${hasTokenSql(hash, at)} and k.network = ${network} and k.refused = ${refused}`.execute(db);
  return rows.length === 1;
}

/** A network where a key was used or refused for the first time. */
export type NewNetwork = {
  accountId: string;
  /** The name of the key; null for the first pair. */
  keyName: string | null;
  keyId: string;
  /** How many networks were new to the account's keys in the last day. */
  newInLastDay: number;
};

/**
 * Stores a network where a key was used or refused. If many calls do so at once, it counts as new for one of them.
 * @returns undefined if the network is known, or the token was replaced meanwhile.
 */
export async function insertKeyNetwork(
  trx: Trx,
  { hash, network }: RefreshTokenUse,
  { at, refused }: NetworkSighting,
): Promise<NewNetwork | undefined> {
  const { rows } = await sql<Omit<NewNetwork, 'newInLastDay'>>`
    with key as (select id, account_id, name from refresh_tokens r where ${hasTokenSql(hash, at)} for share),
    added as (
      insert into key_networks (key_id, network, refused, first_seen_at)
      select id, ${network}, ${refused}, ${at} from key
      on conflict do nothing returning 1)
    select id as "keyId", account_id as "accountId", name as "keyName" from key where exists (select from added)`.execute(
    trx,
  );
  if (!rows[0]) return undefined;
  const { keyId, accountId } = rows[0];
  await sql`
    delete from key_networks where key_id = ${keyId} and (network, refused) in (
      select network, refused from key_networks where key_id = ${keyId}
      order by first_seen_at desc offset ${maxPerKey})`.execute(trx);
  const { rows: counts } = await sql<{ newInLastDay: number }>`
    select count(*)::int as "newInLastDay" from key_networks k join refresh_tokens r on r.id = k.key_id
    where r.account_id = ${accountId} and k.first_seen_at > ${at}::timestamptz - interval '24 hours'`.execute(
    trx,
  );
  return { ...rows[0], newInLastDay: counts[0]!.newInLastDay };
}

/** Forgets where the account's first pair of keys was used. */
export async function deleteKeyNetworks(trx: Trx, accountId: string): Promise<void> {
  await sql`
    delete from key_networks k using refresh_tokens r
    where r.id = k.key_id and r.account_id = ${accountId} and r.name is null`.execute(trx);
}
