import type { Db } from '../../platform/database/index.ts';

export type UnsentFormRow = { id: string; accountId: string; sealed: Buffer; expiresAt: Date };

/** Stores a form, and deletes the oldest of the account’s others beyond `max`. */
export async function insertUnsentForm(
  db: Db,
  { id, accountId, sealed, expiresAt }: UnsentFormRow,
  max: number,
): Promise<void> {
  const row = { id, account_id: accountId, sealed, expires_at: expiresAt };
  await db
    .with('dropped', (query) =>
      query.deleteFrom('unsent_forms').where('id', 'in', (rows) =>
        rows
          .selectFrom('unsent_forms')
          .select('id')
          .where('account_id', '=', accountId)
          .orderBy('expires_at', 'desc')
          .orderBy('id', 'desc')
          .offset(max - 1),
      ),
    )
    .insertInto('unsent_forms')
    .values(row)
    .execute();
}

/** Finds a form, if it is this person’s and has not expired. */
export async function findUnsentFormRow(
  db: Db,
  { id, accountId, now }: { id: string; accountId: string; now: Date },
): Promise<Buffer | undefined> {
  const form = db
    .selectFrom('unsent_forms')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where('expires_at', '>', now);
  return (await form.select('sealed').executeTakeFirst())?.sealed;
}

export async function deleteUnsentFormRow(
  db: Db,
  { id, accountId }: { id: string; accountId: string },
): Promise<void> {
  await db.deleteFrom('unsent_forms').where('id', '=', id).where('account_id', '=', accountId).execute();
}

export async function deleteExpiredUnsentForms(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('unsent_forms').where('expires_at', '<=', now).execute();
}
