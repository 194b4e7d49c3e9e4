import { sql } from 'kysely';
import type { Db, Trx } from '../../platform/database/index.ts';
import type { RefreshUse } from './refresh-tokens-store.ts';

/** When and from where an account's keys were last used, to the minute. */
export type KeyUse = {
  accountId: string;
  /** When its refresh token was made; null if it has none. */
  issuedAt: Date | null;
  networks: string[];
  idleDays: number | null;
  /** The last refresh. */
  refreshedAt: Date | null;
  refreshedAddress: string | null;
  /** The last call with any access token. */
  calledAt: Date | null;
  calledAddress: string | null;
  /** The later of the last refresh and the last call. */
  lastUsedAt: Date | null;
  lastUsedAddress: string | null;
};

/** The keys of these accounts, by account. An account that never had keys or made a call is left out. */
export async function findKeyUses(db: Db, accountIds: readonly string[]): Promise<Map<string, KeyUse>> {
  const { rows } = await sql<KeyUse>`
    select a.id as "accountId", r.issued_at as "issuedAt", coalesce(r.networks, '{}') as networks,
      r.idle_days as "idleDays", r.last_used_at as "refreshedAt", r.last_used_address as "refreshedAddress",
      c.last_called_at as "calledAt", c.last_called_address as "calledAddress",
      greatest(r.last_used_at, c.last_called_at) as "lastUsedAt",
      case when r.last_used_at > c.last_called_at or c.last_called_at is null
        then r.last_used_address else c.last_called_address end as "lastUsedAddress"
    from accounts a left join refresh_tokens r on r.account_id = a.id left join key_calls c on c.account_id = a.id
    where a.id = any(${accountIds}::uuid[]) and (r.account_id is not null or c.account_id is not null)`.execute(
    db,
  );
  return new Map(rows.map((use) => [use.accountId, use]));
}

/** Counts the access tokens of the account that work now. */
export async function countLiveAccessTokens(db: Db, accountId: string, now: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from access_tokens t join accounts a on a.id = t.account_id
    where a.id = ${accountId} and t.key_epoch = a.key_epoch and t.valid_to > ${now}`.execute(db);
  return rows[0]!.count;
}

/** More networks than any client uses. If its address keeps changing, the oldest addresses are forgotten and count as new again. */
const maxPerAccount = 1000;

export type NetworkUse = { at: Date; refused: boolean };

/** Whether the refresh token was used in this network before, or refused there. */
export async function isKnownNetwork(
  db: Db,
  { hash, network }: RefreshUse,
  refused: boolean,
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from key_networks k join refresh_tokens r on r.account_id = k.account_id
    where r.hash = ${hash} and k.network = ${network} and k.refused = ${refused}`.execute(db);
  return rows.length === 1;
}

/**
 * Stores a network where a refresh token was used or refused. If many calls do so at once, one is told that it was the first.
 * @returns the holder, and how many networks were new in the last day; undefined if the network is known, or the token
 * was replaced meanwhile.
 */
export async function insertKeyNetwork(
  trx: Trx,
  { hash, network }: RefreshUse,
  { at, refused }: NetworkUse,
): Promise<{ accountId: string; newInLastDay: number } | undefined> {
  const { rows } = await sql<{ accountId: string }>`
    with holder as (select account_id from refresh_tokens where hash = ${hash} for share)
    insert into key_networks (account_id, network, refused, first_seen_at)
    select account_id, ${network}, ${refused}, ${at} from holder
    on conflict do nothing returning account_id as "accountId"`.execute(trx);
  if (!rows[0]) return undefined;
  const { accountId } = rows[0];
  await sql`
    delete from key_networks where account_id = ${accountId} and (network, refused) in (
      select network, refused from key_networks where account_id = ${accountId}
      order by first_seen_at desc offset ${maxPerAccount})`.execute(trx);
  const { rows: counts } = await sql<{ newInLastDay: number }>`
    select count(*)::int as "newInLastDay" from key_networks
    where account_id = ${accountId} and first_seen_at > ${at}::timestamptz - interval '24 hours'`.execute(
    trx,
  );
  return { accountId, newInLastDay: counts[0]!.newInLastDay };
}

export async function deleteKeyNetworks(trx: Trx, accountId: string): Promise<void> {
  await trx.deleteFrom('key_networks').where('account_id', '=', accountId).execute();
}
