import { type Actor, recordAudit } from '../../audit/index.ts';
import { inTransaction, type Trx } from '../../platform/database/index.ts';
import { canonicalEmail } from '../../platform/mail/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem/index.ts';
import { noSuchAccount } from '../model/account.ts';
import {
  findAccount,
  findAccountByEmail,
  type StoredAccount,
  updatePassword,
} from '../model/accounts-store.ts';
import { actorOf, type Caller } from '../model/caller.ts';
import { changeAccount } from '../model/change-account.ts';
import { deleteOtherSessions, deleteSessionsOf } from '../model/sessions-store.ts';
import { tellHolder } from '../model/tell-people.ts';
import { newPasswordHash, verifyPassword } from './password.ts';
import { beforeAttempt, noteSuccess } from './throttle.ts';

export type PasswordChange = {
  caller: Caller;
  address: string;
  current: string;
  next: string;
  /** The secret of the session that goes on; all others end. */
  keptSessionId: string;
};

/**
 * Changes one's own password. Whoever knew the old one is out: other sessions end, and access tokens too, which client
 * systems replace by their refresh token without noticing.
 * @returns false where the current password is another one than was typed.
 * @throws Problem `unprocessable` saying what is wrong with the new one, `too-many-attempts`.
 */
export async function changePassword(deps: Platform, change: PasswordChange): Promise<boolean> {
  const { caller, address, current, next, keptSessionId } = change;
  const before = await checkOwnPassword(deps, caller, current, address);
  if (!before) return false;
  const passwordHash = await newPasswordHash(deps, before, next);
  let changed = false;
  const actor = actorOf(caller, address);
  await changeAccount(deps, actor, { id: before.id }, 'account.password_changed', async (trx, account) => {
    // Changed by somebody else while this was looked at: then what was typed is the old one.
    changed = account.passwordHash === before.passwordHash;
    if (!changed) return false;
    await updatePassword(trx, account.id, passwordHash);
    await deleteOtherSessions(trx, account.id, deps.secrets.hash('session', keptSessionId));
    await tellHolder(trx, deps, account, 'Your password was changed', { address });
    return true;
  });
  return changed;
}

/**
 * Whether somebody who is signed in knows the password, and is not just at a computer that was left open. A wrong one is
 * written down, and guessing is slowed down.
 * @returns the account with the very password that was typed, or undefined where it was another.
 * @throws Problem `too-many-attempts`.
 */
export async function checkOwnPassword(
  deps: Platform,
  caller: Caller,
  password: string,
  address: string,
): Promise<StoredAccount | undefined> {
  const { accountId } = caller;
  const attempt = await beforeAttempt(deps, { kind: 'step-up', accountId, address });
  const account = await findAccount(deps.db, accountId);
  const matches = await verifyPassword(account?.passwordHash ?? null, password);
  await inTransaction(deps.db, async (trx) => {
    if (matches) return noteSuccess(trx, deps, attempt);
    await recordAudit(trx, {
      at: deps.clock.now(),
      actor: actorOf(caller, address),
      action: 'account.password_shown',
      subject: { type: 'account', id: accountId },
      outcome: 'refused',
    });
  });
  return matches ? account : undefined;
}

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
