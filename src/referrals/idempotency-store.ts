import { sql } from 'kysely';
import type { Db, Trx } from '../platform/database/index.ts';
import type { Platform } from '../platform/platform.ts';

/** Each account has keys of its own. */
export type IdempotencyKey = { accountId: string; key: string };

export function nameOfKey({ accountId, key }: IdempotencyKey): string {
  return `${accountId} ${key}`;
}

/**
 * @returns the names of those keys that no other transaction works on. The locks end with this one, also when it is cut
 * off.
 */
export async function lockIdempotencyKeys(
  trx: Trx,
  keys: readonly IdempotencyKey[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ name: string }>`
    /* prepared as lock-idempotency-keys */
    select name from unnest(${keys.map(nameOfKey)}::text[]) as name
    where pg_try_advisory_xact_lock(hashtextextended(name, 1))`.execute(trx);
  return new Set(rows.map(({ name }) => name));
}

export type KeptAnswer = { requestHash: Buffer; answer: unknown };

/** What was answered to these keys, by their names. */
export async function findKeptAnswers(
  trx: Trx,
  keys: readonly IdempotencyKey[],
): Promise<ReadonlyMap<string, KeptAnswer>> {
  const { rows } = await sql<KeptAnswer & IdempotencyKey>`
    /* prepared as find-kept-answers */
    select account_id as "accountId", key, request_hash as "requestHash", answer
    from unnest(${keys.map(({ accountId }) => accountId)}::uuid[], ${keys.map(({ key }) => key)}::text[])
      as wanted(account_id, key) join idempotency_keys using (account_id, key)`.execute(trx);
  return new Map(rows.map((row) => [nameOfKey(row), row]));
}

type NewAnswer = IdempotencyKey & { requestHash: Buffer; referralId: string; answer: unknown };

export async function keepAnswers(trx: Trx, answers: readonly NewAnswer[], at: Date): Promise<void> {
  if (answers.length === 0) return;
  const rows = answers.map((each) => ({ ...each, requestHash: each.requestHash.toString('hex') }));
  // As `json`, which gives the answer back in the order in which it was first given.
  await sql`
    /* prepared as keep-answers */
    insert into idempotency_keys (account_id, key, request_hash, referral_id, answer, created_at)
    select "accountId", key, decode("requestHash", 'hex'), "referralId", answer, ${at}
    from json_to_recordset(${JSON.stringify(rows)}::json) as kept("accountId" uuid, key text, "requestHash" text,
      "referralId" uuid, answer json)`.execute(trx);
}

type Secrets = Platform['secrets'];

/** By what a key is known when the referral that it made has been erased: what a client wrote in it may name the person. */
export function erasedKey(secrets: Secrets, key: IdempotencyKey): IdempotencyKey {
  return { ...key, key: secrets.hashText('erased idempotency key', nameOfKey(key)) };
}

/** That its keys were used stays, for as long as keys are kept: the same call, come again, would make the referral anew. */
export async function eraseAnswers(trx: Trx, secrets: Secrets, referralId: string): Promise<void> {
  const { rows } = await sql<IdempotencyKey>`
    select account_id as "accountId", key from idempotency_keys where referral_id = ${referralId}`.execute(
    trx,
  );
  for (const each of rows)
    await sql`
      update idempotency_keys
      set key = ${erasedKey(secrets, each).key}, request_hash = '', answer = json_build_object('id', referral_id)
      where account_id = ${each.accountId} and key = ${each.key}`.execute(trx);
}

/** Keys are kept for a week: a client that repeats a request does so within minutes. */
export async function deleteOldIdempotencyKeys(db: Db, now: Date): Promise<void> {
  await sql`delete from idempotency_keys where created_at < ${now}::timestamptz - interval '7 days'`.execute(
    db,
  );
}
