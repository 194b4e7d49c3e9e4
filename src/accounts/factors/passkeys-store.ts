import { sql } from 'kysely';
import type { Db, Trx } from '../../platform/database/index.ts';

export type Passkey = {
  id: string;
  accountId: string;
  credentialId: string;
  publicKey: Uint8Array;
  signCount: number;
  transports: string[];
  name: string;
  createdAt: Date;
  lastUsedAt: Date | null;
};

type ChallengePurpose = 'register' | 'sign in' | 'second factor';

/** A challenge for a browser to sign. `accountId` is null while it is not known who signs in. */
export type Challenge = { challenge: string; purpose: ChallengePurpose; accountId: string | null };

const columns = [
  'id',
  'account_id as accountId',
  'credential_id as credentialId',
  'public_key as publicKey',
  'sign_count as signCount',
  'transports',
  'name',
  'created_at as createdAt',
  'last_used_at as lastUsedAt',
] as const;

export async function listPasskeys(db: Db, accountId: string): Promise<Passkey[]> {
  const passkeys = db.selectFrom('passkeys').select(columns).where('account_id', '=', accountId);
  return passkeys.orderBy('created_at').orderBy('id').execute();
}

export async function findPasskey(db: Db, credentialId: string): Promise<Passkey | undefined> {
  const passkeys = db.selectFrom('passkeys').select(columns).where('credential_id', '=', credentialId);
  return passkeys.executeTakeFirst();
}

/** @returns false if the same passkey is registered already, for any account. */
export async function insertPasskey(trx: Trx, passkey: Omit<Passkey, 'lastUsedAt'>): Promise<boolean> {
  const inserted = await trx
    .insertInto('passkeys')
    .values({
      id: passkey.id,
      account_id: passkey.accountId,
      credential_id: passkey.credentialId,
      public_key: Buffer.from(passkey.publicKey),
      sign_count: passkey.signCount,
      transports: passkey.transports,
      name: passkey.name,
      created_at: passkey.createdAt,
    })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .executeTakeFirst();
  return inserted.numInsertedOrUpdatedRows === 1n;
}

/**
 * Records a use. The count must have grown, unless the device does not count: a copy of the passkey would come with a count
 * that was used before. @returns false if the count did not grow, or the passkey was removed.
 */
export async function recordPasskeyUse(trx: Trx, id: string, signCount: number, at: Date): Promise<boolean> {
  const updated = await trx
    .updateTable('passkeys')
    .set({ sign_count: signCount, last_used_at: at })
    .where('id', '=', id)
    .where('sign_count', signCount === 0 ? '=' : '<', signCount)
    .executeTakeFirst();
  return updated.numUpdatedRows === 1n;
}

/** @returns whether there was one. */
export async function deletePasskey(trx: Trx, accountId: string, id: string): Promise<boolean> {
  const passkey = trx.deleteFrom('passkeys').where('id', '=', id).where('account_id', '=', accountId);
  return (await passkey.executeTakeFirst()).numDeletedRows === 1n;
}

/** @returns how many there were. */
export async function deletePasskeysOf(trx: Trx, accountId: string): Promise<number> {
  const deleted = await trx.deleteFrom('passkeys').where('account_id', '=', accountId).executeTakeFirst();
  return Number(deleted.numDeletedRows);
}

export async function insertChallenge(db: Db, challenge: Challenge, expiresAt: Date): Promise<void> {
  const { accountId, ...values } = challenge;
  const row = { ...values, account_id: accountId, expires_at: expiresAt };
  await db.insertInto('passkey_challenges').values(row).execute();
}

/** Uses up a challenge. @returns false if it is not the wanted one, was used, or is too old. */
export async function takeChallenge(db: Db, wanted: Challenge, now: Date): Promise<boolean> {
  const { rows } = await sql<{ fits: boolean }>`
    delete from passkey_challenges where challenge = ${wanted.challenge}
    returning purpose = ${wanted.purpose} and account_id is not distinct from ${wanted.accountId}::uuid
      and expires_at > ${now} as fits`.execute(db);
  return rows[0]?.fits ?? false;
}

export async function deleteExpiredChallenges(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('passkey_challenges').where('expires_at', '<=', now).execute();
}
