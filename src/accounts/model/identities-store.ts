import { sql } from 'kysely';
import type { Db, Trx } from '../../platform/database/index.ts';

/** Somebody at a provider, by the two names that last. */
type Subject = { readonly issuer: string; readonly subject: string };

/** An account's link to somebody at a provider, as its holder sees it. */
type Identity = { id: string; issuer: string; linkedAt: Date; lastUsedAt: Date | null };

export async function listIdentities(db: Db, accountId: string): Promise<Identity[]> {
  const { rows } = await sql<Identity>`
    select id, issuer, linked_at as "linkedAt", last_used_at as "lastUsedAt" from identities
    where account_id = ${accountId} order by linked_at, id`.execute(db);
  return rows;
}

/** The id of the account that somebody is linked to. */
export async function findLinkedAccount(db: Db, { issuer, subject }: Subject): Promise<string | undefined> {
  const { rows } = await sql<{ accountId: string }>`
    select account_id as "accountId" from identities
    where issuer = ${issuer} and subject = ${subject}`.execute(db);
  return rows[0]?.accountId;
}

/** @returns false where the person is linked already, or the account to somebody of the same provider. */
export async function insertIdentity(
  trx: Trx,
  identity: { id: string; accountId: string; issuer: string; subject: string; at: Date },
): Promise<boolean> {
  const { id, accountId, issuer, subject, at } = identity;
  const { rows } = await sql`
    insert into identities (id, account_id, issuer, subject, linked_at)
    values (${id}, ${accountId}, ${issuer}, ${subject}, ${at})
    on conflict do nothing returning 1`.execute(trx);
  return rows.length === 1;
}

/** Notes a use. @returns false where the link is gone. */
export async function noteIdentityUse(
  trx: Trx,
  accountId: string,
  { issuer, subject }: Subject,
  at: Date,
): Promise<boolean> {
  const { rows } = await sql`
    update identities set last_used_at = ${at}
    where account_id = ${accountId} and issuer = ${issuer} and subject = ${subject} returning 1`.execute(trx);
  return rows.length === 1;
}

export async function deleteIdentity(trx: Trx, id: string): Promise<void> {
  await sql`delete from identities where id = ${id}`.execute(trx);
}
