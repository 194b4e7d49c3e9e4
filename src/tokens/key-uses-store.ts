import { sql } from 'kysely';
import type { Db } from '../platform/database/index.ts';

/** When and from where an account's keys were last used, to the minute. */
export type KeyUse = {
  accountId: string;
  /** When its refresh token was made; null where it has none. */
  issuedAt: Date | null;
  networks: string[];
  idleDays: number | null;
  /** The last refresh. */
  refreshedAt: Date | null;
  refreshedAddress: string | null;
  /** The last call with any access token. */
  calledAt: Date | null;
  calledAddress: string | null;
  /** The later of the two. */
  lastUsedAt: Date | null;
  lastUsedAddress: string | null;
};

/** The keys of these accounts, by account; one that never had keys, nor called, is not in it. */
export async function listKeyUses(db: Db, accountIds: readonly string[]): Promise<Map<string, KeyUse>> {
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

/** Notes a call, unless one of the same minute is noted. */
export async function upsertCall(db: Db, accountId: string, at: Date, address: string): Promise<void> {
  await sql`
    insert into key_calls (account_id, last_called_at, last_called_address) values (${accountId}, ${at}, ${address})
    on conflict (account_id) do update
      set last_called_at = excluded.last_called_at, last_called_address = excluded.last_called_address
      where key_calls.last_called_at <= excluded.last_called_at - interval '1 minute'`.execute(db);
}

/** How many access tokens of the account work now. */
export async function countLiveAccessTokens(db: Db, accountId: string, now: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from access_tokens t join accounts a on a.id = t.account_id
    where a.id = ${accountId} and t.key_epoch = a.key_epoch and t.valid_to > ${now}`.execute(db);
  return rows[0]!.count;
}
