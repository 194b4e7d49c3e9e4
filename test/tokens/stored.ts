import type { Db } from '../../src/platform/database/index.ts';

// What the database holds of tokens.

/** How many access tokens of an account are stored. */
export async function countAccessTokens(db: Db, accountId: string): Promise<number> {
  const tokens = db.selectFrom('access_tokens').select('hash').where('account_id', '=', accountId);
  return (await tokens.execute()).length;
}

/** Gives the refresh token of one account to another, as somebody could who owns the database. */
export async function giveRefreshToken(db: Db, fromId: string, toId: string): Promise<void> {
  await db
    .updateTable('refresh_tokens')
    .set({ account_id: toId })
    .where('account_id', '=', fromId)
    .where('name', 'is', null)
    .execute();
}

/** As if an operator had allowed the user's own computer as a return address, which a live site refuses. */
export async function storeLocalhostRule(db: Db): Promise<void> {
  await db.insertInto('localhost_return').values({ allowed_at: new Date(), allowed_by: 'x' }).execute();
}
