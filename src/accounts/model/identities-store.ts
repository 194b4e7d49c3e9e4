import type { Db, Trx } from '../../platform/database/index.ts';

/** Somebody at a provider, by the two names that do not change. */
type Subject = { readonly issuer: string; readonly subject: string };

/** An account's link to somebody at a provider. */
type Identity = { id: string; issuer: string; linkedAt: Date; lastUsedAt: Date | null };

export async function listIdentities(db: Db, accountId: string): Promise<Identity[]> {
  const identities = db.selectFrom('identities').where('account_id', '=', accountId);
  const columns = ['id', 'issuer', 'linked_at as linkedAt', 'last_used_at as lastUsedAt'] as const;
  return identities.select(columns).orderBy('linked_at').orderBy('id').execute();
}

/** The id of the account that is linked to somebody at a provider. */
export async function findLinkedAccount(db: Db, { issuer, subject }: Subject): Promise<string | undefined> {
  const identities = db.selectFrom('identities').where('issuer', '=', issuer).where('subject', '=', subject);
  return (await identities.select('account_id').executeTakeFirst())?.account_id;
}

/** @returns false if the person has a link already, or the account has one to the same provider. */
export async function insertIdentity(
  trx: Trx,
  identity: { id: string; accountId: string; issuer: string; subject: string; at: Date },
): Promise<boolean> {
  const { id, accountId, issuer, subject, at } = identity;
  const inserted = await trx
    .insertInto('identities')
    .values({ id, account_id: accountId, issuer, subject, linked_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return inserted.numInsertedOrUpdatedRows === 1n;
}

/** Records a use. @returns false if the link was removed. */
export async function recordIdentityUse(
  trx: Trx,
  accountId: string,
  { issuer, subject }: Subject,
  at: Date,
): Promise<boolean> {
  const updated = await trx
    .updateTable('identities')
    .set({ last_used_at: at })
    .where('account_id', '=', accountId)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst();
  return updated.numUpdatedRows === 1n;
}

export async function deleteIdentity(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('identities').where('id', '=', id).execute();
}
