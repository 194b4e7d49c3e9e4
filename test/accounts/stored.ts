import { insertPasskey } from '../../src/accounts/factors/passkeys-store.ts';
import { updateDisabledAt } from '../../src/accounts/model/accounts-store.ts';
import { type Db, inTransaction } from '../../src/platform/database/index.ts';
import { newId } from '../../src/platform/ids/index.ts';

// What the database holds of accounts, and what tests change there.

/** As if somebody had never chosen a password. */
export async function removePassword(db: Db, accountId: string): Promise<void> {
  await db.updateTable('accounts').set({ password_hash: null }).where('id', '=', accountId).execute();
}

/** Stores a passkey of somebody, which no device has. */
export async function storePasskey(db: Db, accountId: string): Promise<void> {
  const key = {
    credentialId: newId(),
    publicKey: Buffer.alloc(1),
    signCount: 0,
    transports: [],
    name: 'Key',
  };
  const passkey = { id: newId(), accountId, createdAt: new Date(), ...key };
  await inTransaction(db, (trx) => insertPasskey(trx, passkey));
}

/** Disables an account without signing it out, so that only who can open a worklist changes. */
export function disableAccount(db: Db, id: string): Promise<void> {
  return inTransaction(db, (trx) => updateDisabledAt(trx, id, new Date()));
}
