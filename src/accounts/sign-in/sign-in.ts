import { recordAudit } from '../../audit/index.ts';
import { inTransaction, type Trx } from '../../platform/database/index.ts';
import { canonicalEmail } from '../../platform/mail/index.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Account } from '../model/account.ts';
import { findAccountByEmail, lockAccount, type StoredAccount } from '../model/accounts-store.ts';
import { actorOf, callerOf } from '../model/caller.ts';
import { hasSecondFactor } from '../model/second-factors-store.ts';
import { verifyPassword } from '../passwords/password.ts';
import { isEnoughAlone } from '../passwords/password-rules.ts';
import { beforeAttempt, noteSuccess } from '../passwords/throttle.ts';
import { startStep } from './second-step.ts';
import { type SignInBrowser, startSession } from './start-session.ts';

export type SignIn = {
  email: string;
  password: string;
  browser: SignInBrowser;
};

export type SignInResult =
  | { kind: 'signed in'; sessionId: string }
  /** The password is right, and a second factor must be shown yet. */
  | { kind: 'second factor'; stepId: string }
  /** The password is right, and too short to stand alone: it was chosen beside a second factor that has gone. */
  | { kind: 'password too short' }
  /** Why not is the same for a wrong password, an unknown address and a disabled account, and takes as long. */
  | { kind: 'refused' };

/**
 * Signs a person in with email and password, or takes the first of two steps.
 * @throws Problem `too-many-attempts`.
 */
export async function signIn(deps: Platform, input: SignIn): Promise<SignInResult> {
  const email = canonicalEmail(input.email);
  const attempt = await beforeAttempt(deps, { kind: 'sign-in', email, address: input.browser.address });
  const found = await findAccountByEmail(deps.db, email);
  const matches = await verifyPassword(found?.passwordHash ?? null, input.password);
  return inTransaction(deps.db, async (trx) => {
    // Not for a wrong password: that would take longer than an address nobody has, and keep the holder waiting.
    const account = found && matches ? await lockAccount(trx, found.id) : undefined;
    // The password or the address may have been changed, or the account disabled, while the old one was looked at.
    const isStill =
      account?.passwordHash === found?.passwordHash &&
      account?.email === email &&
      account?.disabledAt === null;
    if (!account || !isStill) {
      await refuseSignIn(trx, deps, { account: found, address: input.browser.address, method: 'password' });
      return { kind: 'refused' };
    }
    await noteSuccess(trx, deps, attempt);
    return goOn(trx, deps, account, input);
  });
}

async function goOn(trx: Trx, deps: Platform, account: StoredAccount, input: SignIn): Promise<SignInResult> {
  const { password, browser } = input;
  if (await hasSecondFactor(trx, account.id))
    return { kind: 'second factor', stepId: await startStep(trx, deps, account.id) };
  if (!isEnoughAlone(password)) {
    await refuseSignIn(trx, deps, { account, address: browser.address, method: 'password' });
    return { kind: 'password too short' };
  }
  const sessionId = await startSession(trx, deps, { account, method: 'password', browser });
  return { kind: 'signed in', sessionId };
}

type Refusal = {
  /** Whose account was tried, where there is one. */
  account: Account | undefined;
  address: string;
  /** What was shown, and was not enough. */
  method: 'password' | 'code' | 'passkey';
};

/** Writes down that somebody was not let in. The address they typed is not written: it may be a password. */
export function refuseSignIn(trx: Trx, deps: Platform, { account, address, method }: Refusal): Promise<void> {
  deps.metrics.signInRefusals.inc({ method });
  return recordAudit(trx, {
    at: deps.clock.now(),
    actor: account ? actorOf(callerOf(account, 'session'), address) : { name: 'somebody', address },
    action: 'session.started',
    outcome: 'refused',
    details: { method },
  });
}
