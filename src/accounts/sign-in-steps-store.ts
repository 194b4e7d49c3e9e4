import { sql } from 'kysely';
import type { Db, Trx } from '../platform/database/index.ts';

export async function insertStep(
  trx: Trx,
  step: { idHash: Buffer; accountId: string; tries: number; expiresAt: Date },
): Promise<void> {
  await sql`
    insert into sign_in_steps (id_hash, account_id, tries_left, expires_at)
    values (${step.idHash}, ${step.accountId}, ${step.tries}, ${step.expiresAt})`.execute(trx);
}

/** Whose step it is, while it is worth anything. */
export async function findStep(db: Db, idHash: Buffer, now: Date): Promise<string | undefined> {
  const { rows } = await sql<{ accountId: string }>`
    select account_id as "accountId" from sign_in_steps
    where id_hash = ${idHash} and expires_at > ${now} and tries_left > 0`.execute(db);
  return rows[0]?.accountId;
}

/** Takes one of the step's tries; others with it wait until this one is over. @returns false where none is left. */
export async function takeTry(trx: Trx, idHash: Buffer, now: Date): Promise<boolean> {
  const { rows } = await sql`
    update sign_in_steps set tries_left = tries_left - 1
    where id_hash = ${idHash} and expires_at > ${now} and tries_left > 0 returning 1`.execute(trx);
  return rows.length === 1;
}

export async function deleteStep(trx: Trx, idHash: Buffer): Promise<void> {
  await sql`delete from sign_in_steps where id_hash = ${idHash}`.execute(trx);
}
