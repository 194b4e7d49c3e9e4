import { sql } from 'kysely';
import { type Db, lockSeeds, type Trx } from '../../../platform/database/index.ts';
import type { Platform } from '../../../platform/platform.ts';

/** Every account has its own keys. */
export type IdempotencyKey = { accountId: string; key: string };

/** Names a key, for its lock and in maps. */
export function idempotencyLockName({ accountId, key }: IdempotencyKey): string {
  return `${accountId} ${key}`;
}

/**
 * Locks those of these keys that no other transaction holds, until this one ends.
 * @returns the names of the keys that it locked.
 */
export async function lockIdempotencyKeys(
  trx: Trx,
  keys: readonly IdempotencyKey[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ name: string }>`
    select name from unnest(${keys.map(idempotencyLockName)}::text[]) as name
    where pg_try_advisory_xact_lock(hashtextextended(name, ${lockSeeds.idempotencyKey}))`.execute(trx);
  return new Set(rows.map(({ name }) => name));
}

export type KeptAnswer = { requestHash: Buffer; answer: unknown };

/** The answers that were kept for these keys, by the name of the key. */
export async function findKeptAnswers(
  trx: Trx,
  keys: readonly IdempotencyKey[],
): Promise<ReadonlyMap<string, KeptAnswer>> {
  const { rows } = await sql<KeptAnswer & IdempotencyKey>`
    select account_id as "accountId", key, request_hash as "requestHash", answer
    from unnest(${keys.map(({ accountId }) => accountId)}::uuid[], ${keys.map(({ key }) => key)}::text[])
      as wanted(account_id, key) join idempotency_keys using (account_id, key)`.execute(trx);
  return new Map(rows.map((row) => [idempotencyLockName(row), row]));
}

export type NewAnswer = IdempotencyKey & { requestHash: Buffer; referralId: string; answer: unknown };

export async function keepAnswers(trx: Trx, answers: readonly NewAnswer[], at: Date): Promise<void> {
  if (answers.length === 0) return;
  const rows = answers.map((each) => ({ ...each, requestHash: each.requestHash.toString('hex') }));
  // As `json` and not `jsonb`, so that the fields of the repeated answer keep their order.
  await sql`
    insert into idempotency_keys (account_id, key, request_hash, referral_id, answer, created_at)
    select "accountId", key, decode("requestHash", 'hex'), "referralId", answer, ${at}
    from json_to_recordset(${JSON.stringify(rows)}::json) as kept("accountId" uuid, key text, "requestHash" text,
      "referralId" uuid, answer json)`.execute(trx);
}

type Secrets = Platform['secrets'];

/** Replaces a key after its referral was erased: a client may have written the person’s name in it. */
export function keyForErased(secrets: Secrets, key: IdempotencyKey): IdempotencyKey {
  return { ...key, key: secrets.hashText('erased idempotency key', idempotencyLockName(key)) };
}

/** Replaces an answer that was kept, after a file was removed: a repeated upload must not answer with the file’s name. */
export async function replaceKeptAnswer(
  trx: Trx,
  referralId: string,
  answer: { readonly id: string },
): Promise<void> {
  await sql`
    update idempotency_keys set answer = ${JSON.stringify(answer)}::json
    where referral_id = ${referralId} and answer ->> 'id' = ${answer.id}`.execute(trx);
}

/** Empties the answers, but remembers that the keys were used: a repeated request must not make the referral again. */
export async function eraseAnswers(trx: Trx, secrets: Secrets, referralId: string): Promise<void> {
  const { rows } = await sql<IdempotencyKey>`
    select account_id as "accountId", key from idempotency_keys where referral_id = ${referralId}`.execute(
    trx,
  );
  for (const each of rows)
    await sql`
      update idempotency_keys
      set key = ${keyForErased(secrets, each).key}, request_hash = '', answer = json_build_object('id', referral_id)
      where account_id = ${each.accountId} and key = ${each.key}`.execute(trx);
}

/** Keys are kept for a week. A client repeats a request within minutes. */
export async function deleteOldIdempotencyKeys(db: Db, now: Date): Promise<void> {
  await sql`delete from idempotency_keys where created_at < ${now}::timestamptz - interval '7 days'`.execute(
    db,
  );
}
