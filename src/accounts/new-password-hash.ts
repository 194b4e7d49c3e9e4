import type { Platform } from '../platform/platform.ts';
import { Problem, unprocessable } from '../platform/problem/index.ts';
import { hasSecondFactor } from './factors/second-factors-store.ts';
import { hashPassword } from './password.ts';
import { passwordErrors } from './password-rules.ts';
import type { StoredAccount } from './store.ts';

/**
 * The hash of a password that an account may have, for storing. To be asked for in no transaction: hashing waits its
 * turn. @throws Problem `unprocessable` saying what is wrong with the password.
 */
export async function newPasswordHash(
  deps: Platform,
  account: StoredAccount,
  password: string,
): Promise<string> {
  const errors = passwordErrors(password, {
    hasSecondFactor: await hasSecondFactor(deps.db, account.id),
    about: [account.email, account.name, deps.settings.siteName],
  });
  if (errors.length > 0) throw new Problem(unprocessable, 'The password was not changed.', { errors });
  return hashPassword(password);
}
