import { type Selectable, sql } from 'kysely';
import type { Db } from '../../src/platform/database/index.ts';
import type { Mails } from '../../src/platform/database/tables.ts';
import { newId } from '../../src/platform/ids/index.ts';

// What the database holds of emails.

/** Every email that was queued and is not forgotten yet. */
export function storedMails(db: Db): Promise<Selectable<Mails>[]> {
  return db.selectFrom('mails').selectAll().orderBy('id').execute();
}

/** As if an email had been tried this often. */
export async function setMailAttempts(db: Db, id: string, attempts: number): Promise<void> {
  await db.updateTable('mails').set({ attempts }).where('id', '=', id).execute();
}

/** Changes an octet of a sealed email, so that this site key opens it no more. */
export async function damageMail(db: Db, id: string): Promise<void> {
  await sql`
    update mails set sealed = set_byte(sealed, 40, 255 - get_byte(sealed, 40)) where id = ${id}`.execute(db);
}

/** Stores an email or a text that could not be sent. */
export async function storeFailedMail(
  db: Db,
  reason: string,
  { isText = false }: { isText?: boolean } = {},
): Promise<void> {
  const now = new Date();
  const mail = { id: newId(), status: 'failed', is_text: isText, recipient_hash: Buffer.alloc(1), reason };
  await db
    .insertInto('mails')
    .values({ ...mail, created_at: now, finished_at: now })
    .execute();
}

/** How many emails the person who got the most was sent. */
export async function countMailsToOne(db: Db): Promise<number> {
  const counts = db
    .selectFrom('mails')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .groupBy('recipient_hash');
  return Math.max(0, ...(await counts.execute()).map(({ count }) => Number(count)));
}

/** As if no email had ever been queued. */
export async function deleteMails(db: Db): Promise<void> {
  await db.deleteFrom('mails').execute();
}

/** As if an earlier version had queued every email, which did not say of what kind it is. */
export async function forgetMailKinds(db: Db): Promise<void> {
  await db.updateTable('mails').set({ kind: null }).execute();
}
