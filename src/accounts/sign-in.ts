import { recordAudit } from '../audit/index.ts';
import { inTransaction } from '../platform/database/index.ts';
import type { Platform } from '../platform/platform.ts';
import { newSecret } from '../platform/secrets/index.ts';
import { canonicalEmail } from './account.ts';
import { verifyPassword } from './password.ts';
import { sessionLength } from './session.ts';
import { deleteSession, insertSession } from './sessions-store.ts';
import { findAccountByEmail } from './store.ts';

export type SignIn = {
  email: string;
  password: string;
  address: string;
  /** The session the browser had, which ends: what somebody planted in it must not become a signed-in one. */
  previousSessionId?: string | undefined;
};

/**
 * Signs a person in with e-mail and password.
 * @returns the id of the new session, or undefined; why not is the same for a wrong password, an unknown address and
 * a disabled account, and takes as long.
 */
export async function signIn(deps: Platform, input: SignIn): Promise<string | undefined> {
  const email = canonicalEmail(input.email);
  const account = email.includes('\0') ? undefined : await findAccountByEmail(deps.db, email);
  const matches = await verifyPassword(account?.passwordHash ?? null, input.password);
  const welcome = matches && account?.disabledAt === null;
  const at = deps.clock.now();
  const id = newSecret();
  await inTransaction(deps.db, async (trx) => {
    await recordAudit(trx, {
      at,
      actor: { id: account?.id, name: account?.name ?? 'somebody', address: input.address },
      action: 'session.started',
      outcome: welcome ? 'done' : 'refused',
    });
    if (!welcome) return;
    if (input.previousSessionId)
      await deleteSession(trx, deps.secrets.hash('session', input.previousSessionId));
    const expiresAt = new Date(at.getTime() + sessionLength.mostMs);
    await insertSession(trx, {
      idHash: deps.secrets.hash('session', id),
      accountId: account.id,
      at,
      expiresAt,
      address: input.address,
    });
  });
  return welcome ? id : undefined;
}
