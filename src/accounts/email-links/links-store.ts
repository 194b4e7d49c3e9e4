import { sql } from 'kysely';
import type { Db, Trx } from '../../platform/database/index.ts';
import { signsInWithoutPasswordSql } from '../model/accounts-store.ts';

/** An invitation leads to the holder's first password, a reset to a new one. */
export type LinkPurpose = 'invitation' | 'reset';

type NewLink = { accountId: string; purpose: LinkPurpose; secretHash: Buffer; at: Date; expiresAt: Date };

/** Stores the account's link of this purpose. An earlier one stops working. */
export async function replaceLink(trx: Trx, link: NewLink): Promise<void> {
  const changing = { secret_hash: link.secretHash, created_at: link.at, expires_at: link.expiresAt };
  await trx
    .insertInto('account_links')
    .values({ account_id: link.accountId, purpose: link.purpose, ...changing })
    .onConflict((conflict) => conflict.columns(['account_id', 'purpose']).doUpdateSet(changing))
    .execute();
}

/**
 * The account that a link opens, unless the link has expired. A trigger deletes links when the account's address, password
 * or state changes. The account is checked here as well, for a link that was made at the moment of such a change.
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
      and not (l.purpose = 'invitation' and ${signsInWithoutPasswordSql('a')})`.execute(db);
  return rows[0]?.id;
}

/** Whether the holder of the account can sign in without a password. */
export async function canSignInWithoutPassword(db: Db, accountId: string): Promise<boolean> {
  const { rows } =
    await sql`select 1 from accounts a where a.id = ${accountId} and ${signsInWithoutPasswordSql('a')}`.execute(
      db,
    );
  return rows.length === 1;
}

export async function deleteLink(trx: Trx, secretHash: Buffer): Promise<void> {
  await trx.deleteFrom('account_links').where('secret_hash', '=', secretHash).execute();
}

export async function deleteExpiredEmailLinks(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('account_links').where('expires_at', '<=', now).execute();
}
