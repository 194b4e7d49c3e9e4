import type { Actor } from '../audit/index.ts';
import type { Platform } from '../platform/platform.ts';
import { Problem, unprocessable } from '../platform/problem/index.ts';
import { passwordErrors } from './account.ts';
import { changeAccount } from './change-account.ts';
import { hashPassword } from './password.ts';
import { deleteSessionsOf } from './sessions-store.ts';
import { updatePassword } from './store.ts';

/**
 * Gives an account a new password and ends its sessions and access tokens: whoever had the old one is out.
 * @throws Problem `unprocessable` for a password that is too short, `no-such-account`.
 */
export async function resetPassword(
  deps: Platform,
  actor: Actor,
  email: string,
  password: string,
): Promise<void> {
  const errors = passwordErrors(password);
  if (errors.length > 0) throw new Problem(unprocessable, 'The password was not changed.', { errors });
  const passwordHash = await hashPassword(password);
  await changeAccount(deps, actor, email, 'account.password_reset', async (trx, account) => {
    await updatePassword(trx, account.id, passwordHash);
    await deleteSessionsOf(trx, account.id);
  });
}
