import type { Actor } from '../audit/index.ts';
import { inTransaction, type Trx } from '../platform/database/index.ts';
import { canonicalEmail } from '../platform/mail/index.ts';
import type { Platform } from '../platform/platform.ts';
import { Problem } from '../platform/problem/index.ts';
import { noSuchAccount } from './account.ts';
import { changeAccount } from './change-account.ts';
import { newPasswordHash } from './new-password-hash.ts';
import { deleteSessionsOf } from './sessions-store.ts';
import { findAccountByEmail, updatePassword } from './store.ts';
import { tellHolder } from './tell-holder.ts';

/**
 * Gives an account a new password and ends its sessions and access tokens: whoever had the old one is out.
 * @throws Problem `unprocessable` for a password that may not be, `no-such-account`.
 */
export async function resetPassword(
  deps: Platform,
  actor: Actor,
  email: string,
  password: string,
): Promise<void> {
  const account = await findAccountByEmail(deps.db, canonicalEmail(email));
  if (!account)
    throw new Problem(noSuchAccount, 'Check the email address; `account list` shows all of them.');
  const passwordHash = await newPasswordHash(deps, account, password);
  await inTransaction(deps.db, (trx) => replacePassword(trx, deps, actor, account.id, passwordHash));
}

/** Sets the password, ends whatever the old one opened, and tells the account's holder. */
export async function replacePassword(
  trx: Trx,
  deps: Platform,
  actor: Actor,
  id: string,
  passwordHash: string,
): Promise<void> {
  await changeAccount({ ...deps, db: trx }, actor, { id }, 'account.password_reset', async (_, account) => {
    await updatePassword(trx, id, passwordHash);
    await deleteSessionsOf(trx, id);
    await tellHolder(trx, deps, account, 'Your password was changed', { address: actor.address });
    return true;
  });
}
