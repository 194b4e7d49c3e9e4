import type { Actor } from '../audit/index.ts';
import { inTransaction } from '../platform/database/index.ts';
import type { Platform } from '../platform/platform.ts';
import { Problem, unprocessable } from '../platform/problem/index.ts';
import { accountErrors } from './account.ts';
import { addAccount } from './add-account.ts';
import type { Invitation } from './invite-account.ts';
import { hashPassword } from './password.ts';
import { passwordErrors } from './password-rules.ts';

export type NewAccount = Invitation & { password: string };

/**
 * Makes an account that can sign in at once.
 * @returns its id. @throws Problem `unprocessable` (which field, and why) or `email-taken`.
 */
export async function createAccount(deps: Platform, actor: Actor, input: NewAccount): Promise<string> {
  const { password, ...account } = input;
  const about = [account.email, account.name, deps.settings.siteName];
  const errors = [...accountErrors(input), ...passwordErrors(password, { hasSecondFactor: false, about })];
  if (errors.length > 0) throw new Problem(unprocessable, 'The account was not made.', { errors });
  const passwordHash = await hashPassword(password);
  const at = deps.clock.now();
  return inTransaction(deps.db, (trx) => addAccount(trx, actor, { ...account, passwordHash, at }));
}
