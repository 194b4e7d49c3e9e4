import { anonymousActor, recordAudit } from '../../audit/index.ts';
import { inTransaction, type Trx } from '../../platform/database/index.ts';
import { canonicalEmail } from '../../platform/mail/index.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Account } from '../model/account.ts';
import { findAccountByEmail, lockAccount, type StoredAccount } from '../model/accounts-store.ts';
import { actorOf, callerOf } from '../model/caller.ts';
import { hasSecondFactor } from '../model/second-factors-store.ts';
import { verifyPassword } from '../passwords/password.ts';
import { isLongEnoughAlone } from '../passwords/password-rules.ts';
import { beginAttempt, recordSuccess } from '../throttle/throttle.ts';
import { startSecondStep } from './second-step.ts';
import { type SignInBrowser, startSession } from './start-session.ts';

export type SignIn = {
  email: string;
  password: string;
  browser: SignInBrowser;
};

export type SignInResult =
  | { kind: 'signed-in'; sessionSecret: string }
  /** The password is right, and a second factor is still needed. */
  | { kind: 'second-factor-needed'; stepSecret: string }
  /** The password is right, but too short to be enough without a second factor, which the account had when it was chosen. */
  | { kind: 'password-too-short' }
  /** The answer is the same, after the same time, for a wrong password, an unknown email and a disabled account. */
  | { kind: 'refused' };

/**
 * Signs a person in with email and password, or takes the first of two steps.
 * @throws Problem `too-many-attempts`.
 */
export async function signIn(deps: Platform, input: SignIn): Promise<SignInResult> {
  const email = canonicalEmail(input.email);
  const attempt = await beginAttempt(deps, {
    kind: 'sign-in',
    identifier: email,
    ipAddress: input.browser.ipAddress,
  });
  const holder = await findAccountByEmail(deps.db, email);
  const matches = await verifyPassword(holder?.passwordHash ?? null, input.password);
  return inTransaction(deps.db, async (trx) => {
    // Not locked for a wrong password: that would take longer than an unknown email, and make the holder wait.
    const account = holder && matches ? await lockAccount(trx, holder.id) : undefined;
    // While the password was checked, it or the email may have changed, or the account may have been disabled.
    const isUnchanged =
      account?.passwordHash === holder?.passwordHash &&
      account?.email === email &&
      account?.disabledAt === null;
    if (!account || !isUnchanged) {
      await recordRefusedSignIn(trx, deps, {
        account: holder,
        ipAddress: input.browser.ipAddress,
        method: 'password',
      });
      return { kind: 'refused' };
    }
    await recordSuccess(trx, deps, attempt);
    return startSessionOrStep(trx, deps, account, input);
  });
}

async function startSessionOrStep(
  trx: Trx,
  deps: Platform,
  account: StoredAccount,
  input: SignIn,
): Promise<SignInResult> {
  const { password, browser } = input;
  if (await hasSecondFactor(trx, account.id))
    return { kind: 'second-factor-needed', stepSecret: await startSecondStep(trx, deps, account.id) };
  if (!isLongEnoughAlone(password)) {
    await recordRefusedSignIn(trx, deps, { account, ipAddress: browser.ipAddress, method: 'password' });
    return { kind: 'password-too-short' };
  }
  const sessionSecret = await startSession(trx, deps, { account, method: 'password', browser });
  return { kind: 'signed-in', sessionSecret };
}

type Refusal = {
  /** The account that was tried, if there is one. */
  account: Account | undefined;
  ipAddress: string;
  /** The proof that was given, and was not enough. */
  method: 'password' | 'code' | 'passkey' | 'openid-connect';
  /** The reason, for operators, who read it in the audit. */
  reason?: string;
};

/** Counts and audits that somebody was not let in. The typed email is left out, because it may be a password. */
export function recordRefusedSignIn(
  trx: Trx,
  deps: Platform,
  { account, ipAddress, method, reason }: Refusal,
): Promise<void> {
  // The labels of metrics have underscores.
  deps.metrics.signInRefusals.inc({ method: method.replaceAll('-', '_') });
  return recordAudit(trx, {
    at: deps.clock.now(),
    actor: account ? actorOf(callerOf(account, 'session'), ipAddress) : anonymousActor(ipAddress),
    action: 'session.started',
    outcome: 'refused',
    details: { method, ...(reason !== undefined && { reason }) },
  });
}
