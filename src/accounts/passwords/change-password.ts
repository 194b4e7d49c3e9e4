import { type Actor, recordAudit } from '../../audit/index.ts';
import { inTransaction, type Trx } from '../../platform/database/index.ts';
import { canonicalEmail } from '../../platform/mail/index.ts';
import type { Platform } from '../../platform/platform.ts';

import {
  findAccount,
  findAccountByEmail,
  type StoredAccount,
  updatePassword,
} from '../model/accounts-store.ts';
import { actorOf, type Caller } from '../model/caller.ts';
import { changeAccount, changeInTransaction } from '../model/change-account.ts';
import { accountNotFoundProblem, requireTargetIsPerson } from '../model/problems.ts';
import { tellHolder } from '../model/security-emails.ts';
import { deleteOtherSessions, deleteSessionsOf } from '../model/sessions-store.ts';
import { beginAttempt, recordSuccess } from '../throttle/throttle.ts';
import { newPasswordHash, verifyPassword } from './password.ts';

export type PasswordChange = {
  caller: Caller;
  ipAddress: string;
  current: string;
  next: string;
  /** The secret of the session that stays; all others end. */
  keptSessionSecret: string;
};

/**
 * Changes a person's own password. It ends their other sessions and their access tokens, so that somebody who knew the old
 * password is out; client systems refresh their token without a break.
 * @returns false if the current password is wrong.
 * @throws Problem `unprocessable` saying what is wrong with the new one, `too-many-attempts`.
 */
export async function changePassword(deps: Platform, change: PasswordChange): Promise<boolean> {
  const { caller, ipAddress, current, next, keptSessionSecret } = change;
  const before = await checkOwnPassword(deps, caller, current, ipAddress);
  if (!before) return false;
  const passwordHash = await newPasswordHash(deps, before, next);
  return changeAccount(deps, actorOf(caller, ipAddress), before, {
    action: 'account.password_changed',
    async make(trx, account) {
      // Somebody else has changed it since it was checked, so the typed one is wrong by now.
      if (account.passwordHash !== before.passwordHash) return { changed: false };
      await updatePassword(trx, account.id, passwordHash);
      await deleteOtherSessions(trx, account.id, deps.secrets.hash('session', keptSessionSecret));
      await tellHolder(trx, deps, account, 'Your password was changed', { ipAddress });
      return { changed: true };
    },
  });
}

/**
 * Checks the password of somebody who is signed in, since they may sit at a computer that was left open. A wrong one is
 * recorded, and guesses are slowed down.
 * @returns the account with this password; undefined if the password is wrong.
 * @throws Problem `too-many-attempts`.
 */
export async function checkOwnPassword(
  deps: Platform,
  caller: Caller,
  password: string,
  ipAddress: string,
): Promise<StoredAccount | undefined> {
  const { accountId } = caller;
  const attempt = await beginAttempt(deps, { kind: 'step-up', accountId, ipAddress });
  const account = await findAccount(deps.db, accountId);
  const matches = await verifyPassword(account?.passwordHash ?? null, password);
  await inTransaction(deps.db, async (trx) => {
    if (matches) return recordSuccess(trx, deps, attempt);
    await recordAudit(trx, {
      at: deps.clock.now(),
      actor: actorOf(caller, ipAddress),
      action: 'account.password_checked',
      subject: { type: 'account', id: accountId },
      outcome: 'refused',
    });
  });
  return matches ? account : undefined;
}

/**
 * Gives an account a new password and ends its sessions and access tokens.
 * @throws Problem `unprocessable` if the password is not allowed, `no-such-account`.
 */
export async function resetPassword(
  deps: Platform,
  actor: Actor,
  email: string,
  password: string,
): Promise<void> {
  const account = await findAccountByEmail(deps.db, canonicalEmail(email));
  if (!account) throw accountNotFoundProblem();
  const passwordHash = await newPasswordHash(deps, account, password);
  await inTransaction(deps.db, (trx) => replacePassword(trx, deps, actor, account.id, passwordHash));
}

/** Changes the password, ends the sessions and access tokens of the old one, and tells the account's holder. */
export async function replacePassword(
  trx: Trx,
  deps: Platform,
  actor: Actor,
  id: string,
  passwordHash: string,
): Promise<void> {
  await changeInTransaction(trx, deps, actor, id, {
    action: 'account.password_reset',
    async make(_, account) {
      requireTargetIsPerson(account);
      await updatePassword(trx, id, passwordHash);
      await deleteSessionsOf(trx, id);
      await tellHolder(trx, deps, account, 'Your password was changed', { ipAddress: actor.ipAddress });
      return { changed: true };
    },
  });
}
