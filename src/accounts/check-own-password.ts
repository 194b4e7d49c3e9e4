import { recordAudit } from '../audit/index.ts';
import { inTransaction } from '../platform/database/index.ts';
import type { Platform } from '../platform/platform.ts';
import { actorOf, type Caller } from './caller.ts';
import { verifyPassword } from './password.ts';
import { findAccount, type StoredAccount } from './store.ts';
import { beforeAttempt, noteSuccess } from './throttle.ts';

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
