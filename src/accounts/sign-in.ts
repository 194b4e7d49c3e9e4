import { recordAudit } from '../audit/index.ts';
import { inTransaction } from '../platform/database/index.ts';
import type { Platform } from '../platform/platform.ts';
import { canonicalEmail } from './account.ts';
import { verifyPassword } from './password.ts';
import { startSession } from './start-session.ts';
import { findAccountByEmail } from './store.ts';

export type SignIn = {
  email: string;
  password: string;
  address: string;
  previousSessionId?: string | undefined;
};

/**
 * Signs a person in with e-mail and password.
 * @returns the id of the new session, or undefined; why not is the same for a wrong password, an unknown address and
 * a disabled account, and takes as long.
 */
export async function signIn(deps: Platform, input: SignIn): Promise<string | undefined> {
  const { address, previousSessionId } = input;
  const email = canonicalEmail(input.email);
  const account = email.includes('\0') ? undefined : await findAccountByEmail(deps.db, email);
  const matches = await verifyPassword(account?.passwordHash ?? null, input.password);
  return inTransaction(deps.db, async (trx) => {
    if (matches && account?.disabledAt === null)
      return startSession(trx, deps, { account, method: 'password', address, previousSessionId });
    await recordAudit(trx, {
      at: deps.clock.now(),
      actor: { id: account?.id, name: account?.name ?? 'somebody', address },
      action: 'session.started',
      outcome: 'refused',
    });
    return undefined;
  });
}
