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
