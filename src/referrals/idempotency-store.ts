import { sql } from 'kysely';
import type { Db, Trx } from '../platform/database/index.ts';

export type KeptAnswer = { requestHash: Buffer; answer: unknown };

/** Whether this transaction is the only one that works on the key. The lock ends with it, also when it is cut off. */
export async function lockIdempotencyKey(trx: Trx, accountId: string, key: string): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`${accountId} ${key}`}, 1)) as locked`.execute(trx);
  return rows[0]!.locked;
}

export async function findKeptAnswer(
  trx: Trx,
  accountId: string,
  key: string,
): Promise<KeptAnswer | undefined> {
  const { rows } = await sql<KeptAnswer>`
    select request_hash as "requestHash", answer from idempotency_keys
    where account_id = ${accountId} and key = ${key}`.execute(trx);
  return rows[0];
}

export async function keepAnswer(
  trx: Trx,
  kept: { accountId: string; key: string; requestHash: Buffer; referralId: string; answer: string; at: Date },
): Promise<void> {
  await sql`
    insert into idempotency_keys (account_id, key, request_hash, referral_id, answer, created_at)
    values (${kept.accountId}, ${kept.key}, ${kept.requestHash}, ${kept.referralId}, ${kept.answer}::json, ${kept.at})`.execute(
    trx,
  );
}

/** Keys are kept for a week: a client that repeats a request does so within minutes. */
export async function deleteOldIdempotencyKeys(db: Db, now: Date): Promise<void> {
  await sql`delete from idempotency_keys where created_at < ${now}::timestamptz - interval '7 days'`.execute(
    db,
  );
}
