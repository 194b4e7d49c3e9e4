import type { Platform } from '../platform/platform.ts';
import { actorOf, type Caller } from './caller.ts';
import { changeAccount } from './change-account.ts';
import { checkOwnPassword } from './check-own-password.ts';
import { newPasswordHash } from './new-password-hash.ts';
import { deleteOtherSessions } from './sessions-store.ts';
import { updatePassword } from './store.ts';
import { tellHolder } from './tell-holder.ts';

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
