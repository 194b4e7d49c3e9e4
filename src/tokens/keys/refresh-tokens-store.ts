import { sql } from 'kysely';
import type { Db, Trx } from '../../platform/database/index.ts';
import type { NewAccessToken } from '../model/access-tokens-store.ts';

/** What the holder of an account allows its refresh token, and the access tokens that come from it. */
export type KeyGuards = {
  /** From where they may be used; empty is from anywhere. */
  readonly networks: readonly string[];
  /** After how many days without a refresh the refresh token stops working; null is never. */
  readonly idleDays: number | null;
};

/** One use of a refresh token: which, and from where. */
export type RefreshUse = { readonly hash: Buffer; readonly address: string; readonly network: string };

/** Refresh tokens that were not used for as long as their holder allowed; `r` is the token. */
const isIdle = (now: Date) => sql`
  coalesce(r.idle_days * interval '24 hours' <= ${now}::timestamptz - coalesce(r.last_used_at, r.issued_at), false)`;

/**
 * Exchanges a refresh token for an access token in one statement: the new token belongs to the epoch that this
 * statement sees, so one that races a regeneration is dead as soon as that commits. `networks` is the list that the
 * address was found to be in; it must be the one that is in force.
 * @returns whether the token was used from this network before; undefined where it was not exchanged.
 */
export async function exchangeRefreshToken(
  db: Db,
  use: RefreshUse,
  token: NewAccessToken,
  networks: readonly string[],
): Promise<{ seenHere: boolean } | undefined> {
  const { rows } = await sql<{ seenHere: boolean }>`
    with allowed as (
      select a.id, a.key_epoch from refresh_tokens r join accounts a on a.id = r.account_id
      where r.hash = ${use.hash} and a.api_access and a.disabled_at is null
        and r.networks = ${networks}::text[] and not ${isIdle(token.issuedAt)}),
    used as (
      -- At most once a minute, and by the one who gets there first: many refreshes of one account must not queue for its
      -- row. That it is due is asked of the row that is locked, which is the newest.
      update refresh_tokens set last_used_at = ${token.issuedAt}, last_used_address = ${use.address}
      where hash = (
        select r.hash from refresh_tokens r
        where r.hash = ${use.hash} and exists (select from allowed)
          and (r.last_used_at is null or r.last_used_at < ${token.issuedAt}::timestamptz - interval '1 minute')
        for no key update skip locked))
    insert into access_tokens (hash, account_id, key_epoch, source, issued_at, valid_to)
    select ${token.hash}, id, key_epoch, ${token.source}, ${token.issuedAt}, ${token.validTo} from allowed
    returning exists (
      select from key_addresses k
      where k.account_id = access_tokens.account_id and k.network = ${use.network} and not k.refused) as "seenHere"`.execute(
    db,
  );
  return rows[0];
}

export type RefreshStanding = {
  accountId: string;
  name: string;
  apiAccess: boolean;
  networks: string[];
  idle: boolean;
};

/** What stands in the way of a refresh token that was not exchanged; undefined where it is unknown. */
export async function findRefreshStanding(
  db: Db,
  hash: Buffer,
  now: Date,
): Promise<RefreshStanding | undefined> {
  const { rows } = await sql<RefreshStanding>`
    select a.id as "accountId", a.name, a.api_access as "apiAccess", r.networks, ${isIdle(now)} as idle
    from refresh_tokens r join accounts a on a.id = r.account_id
    where r.hash = ${hash} and a.disabled_at is null`.execute(db);
  return rows[0];
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

/** Puts another refresh token in the place of the account's, whose use ends; what guarded that guards this. */
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

/** The refresh token must be there. */
export async function updateGuards(trx: Trx, accountId: string, guards: KeyGuards): Promise<void> {
  await sql`
    update refresh_tokens set networks = ${guards.networks}::text[], idle_days = ${guards.idleDays}
    where account_id = ${accountId}`.execute(trx);
}
