import { type RawBuilder, sql } from 'kysely';
import { type Db, notify, type Trx } from '../database/index.ts';
import { newId } from '../ids/index.ts';

/** The site was restored, and no operator has confirmed yet what was sent between the backup and the loss. */
export type RestoreCheck = { readonly id: string; readonly backupMadeAt: Date; readonly restoredAt: Date };

/** The topic of the notice that the state has changed. */
export const restoreCheckTopic = 'check-first';

const unconfirmedCheck = (db: Db) =>
  db
    .selectFrom('check_first')
    .select(['id', 'backup_made_at as backupMadeAt', 'restored_at as restoredAt'])
    .where('confirmed_at', 'is', null);

export function findRestoreCheck(db: Db): Promise<RestoreCheck | undefined> {
  return unconfirmedCheck(db).executeTakeFirst();
}

/** The same as a condition in SQL, for what must not happen meanwhile. */
export const isBeingCheckedSql: RawBuilder<boolean> = sql`exists (select from check_first where confirmed_at is null)`;

/** Until the transaction ends, nobody else can confirm. The purpose `end` also waits for deliveries that are being held now. */
export function lockRestoreCheck(trx: Trx, purpose: 'hold' | 'end'): Promise<RestoreCheck | undefined> {
  const check = unconfirmedCheck(trx);
  return (purpose === 'end' ? check.forUpdate() : check.forShare()).executeTakeFirst();
}

/** The backup may contain the row of an earlier check that nobody had confirmed. This check replaces it. */
export async function beginRestoreCheck(
  trx: Trx,
  { backupMadeAt, at }: { backupMadeAt: Date; at: Date },
): Promise<void> {
  await trx.updateTable('check_first').set({ confirmed_at: at }).where('confirmed_at', 'is', null).execute();
  await trx
    .insertInto('check_first')
    .values({ id: newId(at.getTime()), backup_made_at: backupMadeAt, restored_at: at })
    .execute();
  await notify(trx, restoreCheckTopic, '');
}

export async function endRestoreCheck(
  trx: Trx,
  id: string,
  by: { accountId: string; at: Date },
): Promise<void> {
  await trx
    .updateTable('check_first')
    .set({ confirmed_at: by.at, confirmed_by: by.accountId })
    .where('id', '=', id)
    .execute();
  await notify(trx, restoreCheckTopic, '');
}
