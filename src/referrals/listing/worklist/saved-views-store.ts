import { sql } from 'kysely';
import { lockAccountRow } from '../../../accounts/index.ts';
import type { Db, Trx } from '../../../platform/database/index.ts';

/** A worklist that somebody gave a name. `query` is what its address says: `view=received&tab=unanswered`. */
export type SavedView = { id: string; name: string; query: string };

/** The views of an account, by name. */
export function listSavedViews(db: Db, accountId: string): Promise<SavedView[]> {
  return db
    .selectFrom('saved_views')
    .select(['id', 'name', 'query'])
    .where('account_id', '=', accountId)
    .orderBy(sql`lower(name)`)
    .execute();
}

/** Until the transaction ends, no other transaction saves or renames views of the account. */
export async function lockSavedViews(trx: Trx, accountId: string): Promise<SavedView[]> {
  await lockAccountRow(trx, accountId);
  return listSavedViews(trx, accountId);
}

export async function insertSavedView(
  trx: Trx,
  accountId: string,
  { id, name, query, at }: SavedView & { at: Date },
): Promise<void> {
  await trx
    .insertInto('saved_views')
    .values({ id, account_id: accountId, name, query, created_at: at })
    .execute();
}

export async function updateSavedViewName(trx: Trx, id: string, name: string): Promise<void> {
  await trx.updateTable('saved_views').set({ name }).where('id', '=', id).execute();
}

/** @returns false if the account has no such view */
export async function deleteSavedView(db: Db, accountId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('saved_views')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
