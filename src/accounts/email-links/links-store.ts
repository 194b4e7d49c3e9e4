import { sql } from 'kysely';
import type { Db, Trx } from '../../platform/database/index.ts';
import { opensWithoutPassword } from '../model/accounts-store.ts';

/** What a link is for. An invitation is to the holder's first password, a reset to one in place of it. */
export type LinkPurpose = 'invitation' | 'reset';

type NewLink = { accountId: string; purpose: LinkPurpose; secretHash: Buffer; at: Date; expiresAt: Date };

/** The account's link of this purpose from now on: an earlier one is worth nothing any more. */
export async function replaceLink(trx: Trx, link: NewLink): Promise<void> {
  const { accountId, purpose, secretHash, at, expiresAt } = link;
  await sql`
    insert into account_links (account_id, purpose, secret_hash, created_at, expires_at)
    values (${accountId}, ${purpose}, ${secretHash}, ${at}, ${expiresAt})
    on conflict (account_id, purpose) do update set
      secret_hash = excluded.secret_hash, created_at = excluded.created_at, expires_at = excluded.expires_at`.execute(
    trx,
  );
}

/**
 * The account that a link opens, unless the link ran out. Links end with every change of the account's address,
 * password or state (a trigger sees to it); what is asked of the account here holds also where one was made at the very
 * moment of such a change.
 */
export async function findAccountOfLink(
  db: Db,
  purpose: LinkPurpose,
  secretHash: Buffer,
  now: Date,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select a.id from account_links l join accounts a on a.id = l.account_id
    where l.secret_hash = ${secretHash} and l.purpose = ${purpose} and l.expires_at > ${now}
      and a.disabled_at is null and (a.password_hash is null) = (l.purpose = 'invitation')
      and not (l.purpose = 'invitation' and ${opensWithoutPassword})`.execute(db);
  return rows[0]?.id;
}

/** Whether there is a way into the account that is no password. */
export async function hasOtherWayIn(db: Db, accountId: string): Promise<boolean> {
  const { rows } =
    await sql`select 1 from accounts a where a.id = ${accountId} and ${opensWithoutPassword}`.execute(db);
  return rows.length === 1;
}

export async function deleteLink(trx: Trx, secretHash: Buffer): Promise<void> {
  await sql`delete from account_links where secret_hash = ${secretHash}`.execute(trx);
}

export async function deleteExpiredLinks(db: Db, now: Date): Promise<void> {
  await sql`delete from account_links where expires_at <= ${now}`.execute(db);
}
