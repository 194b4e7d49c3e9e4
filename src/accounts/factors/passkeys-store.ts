import { sql } from 'kysely';
import type { Db, Trx } from '../../platform/database/index.ts';

export type Passkey = {
  id: string;
  accountId: string;
  credentialId: string;
  publicKey: Uint8Array<ArrayBuffer>;
  signCount: number;
  transports: string[];
  name: string;
  createdAt: Date;
  lastUsedAt: Date | null;
};

type ChallengePurpose = 'register' | 'sign in' | 'second factor';

/** What a browser is asked to sign. `accountId` is null while nobody knows yet who it is. */
export type Challenge = { challenge: string; purpose: ChallengePurpose; accountId: string | null };

const columns = sql`
  id, account_id as "accountId", credential_id as "credentialId", public_key as "publicKey",
  sign_count as "signCount", transports, name, created_at as "createdAt", last_used_at as "lastUsedAt"`;

export async function listPasskeys(db: Db, accountId: string): Promise<Passkey[]> {
  const { rows } = await sql<Passkey>`
    select ${columns} from passkeys where account_id = ${accountId} order by created_at, id`.execute(db);
  return rows;
}

export async function findPasskey(db: Db, credentialId: string): Promise<Passkey | undefined> {
  const { rows } = await sql<Passkey>`
    select ${columns} from passkeys where credential_id = ${credentialId}`.execute(db);
  return rows[0];
}

/** @returns false where the same passkey is registered already, for whomever. */
export async function insertPasskey(trx: Trx, passkey: Omit<Passkey, 'lastUsedAt'>): Promise<boolean> {
  const { id, accountId, credentialId, publicKey, signCount, transports, name, createdAt } = passkey;
  const { rows } = await sql`
    insert into passkeys (id, account_id, credential_id, public_key, sign_count, transports, name, created_at)
    values (${id}, ${accountId}, ${credentialId}, ${Buffer.from(publicKey)}, ${signCount}, ${transports}::text[],
      ${name}, ${createdAt})
    on conflict (credential_id) do nothing returning 1`.execute(trx);
  return rows.length === 1;
}

/**
 * Notes a use. Its count must have grown, unless the device does not count: a copy of the passkey would show itself by
 * a count that was there before. @returns false where it did not grow, or the passkey was removed.
 */
export async function notePasskeyUse(trx: Trx, id: string, signCount: number, at: Date): Promise<boolean> {
  const { rows } = await sql`
    update passkeys set sign_count = ${signCount}, last_used_at = ${at}
    where id = ${id} and (sign_count < ${signCount} or (sign_count = 0 and ${signCount}::bigint = 0))
    returning 1`.execute(trx);
  return rows.length === 1;
}

/** @returns whether there was one. */
export async function deletePasskey(trx: Trx, accountId: string, id: string): Promise<boolean> {
  const { rows } = await sql`
    delete from passkeys where id = ${id} and account_id = ${accountId} returning 1`.execute(trx);
  return rows.length === 1;
}

export async function deletePasskeysOf(trx: Trx, accountId: string): Promise<number> {
  const { rows } = await sql`delete from passkeys where account_id = ${accountId} returning 1`.execute(trx);
  return rows.length;
}

export async function insertChallenge(db: Db, challenge: Challenge, expiresAt: Date): Promise<void> {
  await sql`
    insert into passkey_challenges (challenge, purpose, account_id, expires_at)
    values (${challenge.challenge}, ${challenge.purpose}, ${challenge.accountId}, ${expiresAt})`.execute(db);
}

/** Uses up a challenge, for good. @returns false where it is none of these, was used, or is too old. */
export async function takeChallenge(db: Db, wanted: Challenge, now: Date): Promise<boolean> {
  const { rows } = await sql<{ fits: boolean }>`
    delete from passkey_challenges where challenge = ${wanted.challenge}
    returning purpose = ${wanted.purpose} and account_id is not distinct from ${wanted.accountId}::uuid
      and expires_at > ${now} as fits`.execute(db);
  return rows[0]?.fits ?? false;
}

export async function deleteExpiredChallenges(db: Db, now: Date): Promise<void> {
  await sql`delete from passkey_challenges where expires_at <= ${now}`.execute(db);
}
