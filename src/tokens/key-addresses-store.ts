import { sql } from 'kysely';
import type { Db, Trx } from '../platform/database/index.ts';
import type { RefreshUse } from './refresh-tokens-store.ts';

/** More than any client has; where one that moves about goes beyond it, the oldest are new again. */
const mostOfAccount = 1000;

export type Sighting = { at: Date; refused: boolean };

/** Whether the refresh token was seen here before, used or refused. */
export async function isKnownAddress(
  db: Db,
  { hash, network }: RefreshUse,
  refused: boolean,
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from key_addresses k join refresh_tokens r on r.account_id = k.account_id
    where r.hash = ${hash} and k.network = ${network} and k.refused = ${refused}`.execute(db);
  return rows.length === 1;
}

/**
 * Remembers where a refresh token was used, or tried in vain, unless it is known, or the token was replaced meanwhile:
 * new keys begin with no address. Of many at once, one is told that it was the first.
 * @returns whose token it is, and how many addresses were new in the day that ends now.
 */
export async function insertKeyAddress(
  trx: Trx,
  { hash, network }: RefreshUse,
  { at, refused }: Sighting,
): Promise<{ accountId: string; newInDay: number } | undefined> {
  const { rows } = await sql<{ accountId: string }>`
    with holder as (select account_id from refresh_tokens where hash = ${hash} for share)
    insert into key_addresses (account_id, network, refused, first_seen_at)
    select account_id, ${network}, ${refused}, ${at} from holder
    on conflict do nothing returning account_id as "accountId"`.execute(trx);
  if (!rows[0]) return undefined;
  const { accountId } = rows[0];
  await sql`
    delete from key_addresses where account_id = ${accountId} and (network, refused) in (
      select network, refused from key_addresses where account_id = ${accountId}
      order by first_seen_at desc offset ${mostOfAccount})`.execute(trx);
  const { rows: counts } = await sql<{ newInDay: number }>`
    select count(*)::int as "newInDay" from key_addresses
    where account_id = ${accountId} and first_seen_at > ${at}::timestamptz - interval '24 hours'`.execute(
    trx,
  );
  return { accountId, newInDay: counts[0]!.newInDay };
}

export async function deleteKeyAddresses(trx: Trx, accountId: string): Promise<void> {
  await sql`delete from key_addresses where account_id = ${accountId}`.execute(trx);
}
