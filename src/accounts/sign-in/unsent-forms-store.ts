import type { Db } from '../../platform/database/index.ts';

export type UnsentFormRow = { id: string; accountId: string; sealed: Buffer; expiresAt: Date };

export async function insertUnsentForm(
  db: Db,
  { id, accountId, sealed, expiresAt }: UnsentFormRow,
): Promise<void> {
  const row = { id, account_id: accountId, sealed, expires_at: expiresAt };
  await db.insertInto('unsent_forms').values(row).execute();
}

/** Takes a form out of the table, if it is this person’s and has not expired. */
export async function takeUnsentFormRow(
  db: Db,
  { id, accountId, now }: { id: string; accountId: string; now: Date },
): Promise<Buffer | undefined> {
  const form = db
    .deleteFrom('unsent_forms')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where('expires_at', '>', now);
  return (await form.returning('sealed').executeTakeFirst())?.sealed;
}

export async function deleteExpiredUnsentForms(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('unsent_forms').where('expires_at', '<=', now).execute();
}
