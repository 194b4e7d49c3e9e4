import { inTransaction, type Trx } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { lockAccount } from '../model/accounts-store.ts';
import {
  findAuthenticatorSecret,
  spendRecoveryCode,
  useUpCodesUntil,
} from '../model/second-factors-store.ts';
import { tellHolder } from '../model/security-emails.ts';
import { deleteSignInStep, useSignInStepAttempt } from '../model/sessions-store.ts';
import type { RelyingParty } from '../model/sign-in-settings.ts';
import { findSecondStepAccountId } from '../sign-in/second-step.ts';
import { recordRefusedSignIn } from '../sign-in/sign-in.ts';
import { type SignInBrowser, type SignInMethod, startSession } from '../sign-in/start-session.ts';
import { beginAttempt, recordSuccess } from '../throttle/throttle.ts';
import { openTotpSecret, timeStepOfCode } from './authenticator.ts';
import { type Assertion, type CheckedPasskey, checkPasskeyAlone } from './passkeys.ts';
import { recordPasskeyUse } from './passkeys-store.ts';
import { canonicalRecoveryCode } from './recovery-codes.ts';

export type SecondStep = {
  /** The secret of the first step, from its cookie. */
  stepSecret: string;
  /** The answer of the person as their second factor. `passkey` is undefined if the passkey was not valid. */
  answer: { code: string } | { passkey: CheckedPasskey | undefined };
  browser: SignInBrowser;
};

export type SecondStepResult =
  | { kind: 'signed-in'; sessionSecret: string }
  | { kind: 'wrong' }
  /** There is no such step, or it has ended: the password is needed again. */
  | { kind: 'expired' };

/**
 * Takes the second step of a sign-in, in the browser that took the first.
 * @throws Problem `too-many-attempts`.
 */
export async function finishSignIn(deps: Platform, input: SecondStep): Promise<SecondStepResult> {
  const { stepSecret, answer, browser } = input;
  const { ipAddress } = browser;
  const accountId = await findSecondStepAccountId(deps, stepSecret);
  if (accountId === undefined) return { kind: 'expired' };
  const attempt = await beginAttempt(deps, { kind: 'code', accountId, ipAddress });
  return inTransaction(deps.db, async (trx) => {
    const account = await lockAccount(trx, accountId);
    const secretHash = deps.secrets.hash('sign-in step', stepSecret);
    const attemptLeft = await useSignInStepAttempt(trx, secretHash, deps.clock.now());
    if (!account || account.disabledAt !== null || !attemptLeft) return { kind: 'expired' };
    const method = await useFactor(trx, deps, accountId, answer);
    if (method === undefined) {
      await recordRefusedSignIn(trx, deps, {
        account,
        ipAddress,
        method: 'code' in answer ? 'code' : 'passkey',
      });
      return { kind: 'wrong' };
    }
    await recordSuccess(trx, deps, attempt);
    await deleteSignInStep(trx, secretHash);
    if (method === 'password and recovery code')
      await tellHolder(trx, deps, account, 'A recovery code was used to sign in to your account', {
        ipAddress,
      });
    const sessionSecret = await startSession(trx, deps, { account, method, browser });
    return { kind: 'signed-in', sessionSecret };
  });
}

/** Uses up the code or the passkey. @returns how the person has signed in; undefined if it is not valid. */
async function useFactor(
  trx: Trx,
  deps: Platform,
  accountId: string,
  answer: SecondStep['answer'],
): Promise<SignInMethod | undefined> {
  if ('code' in answer) {
    const used = await useCode(trx, deps, accountId, answer.code);
    if (used === undefined) return undefined;
    return used === 'authenticator' ? 'password and code' : 'password and recovery code';
  }
  const { passkey: checked } = answer;
  if (checked?.passkey.accountId !== accountId) return undefined;
  const noted = await recordPasskeyUse(trx, checked.passkey.id, checked.signCount, deps.clock.now());
  return noted ? 'password and passkey' : undefined;
}

type PasskeySignIn = { assertion: Assertion; browser: SignInBrowser };

/**
 * Signs a person in with a passkey alone: having the device is one factor, and the device asked for another (a PIN, a
 * finger, a face). There is no throttle, because nothing can be guessed.
 * @returns the secret of the new session, for the cookie; undefined if the passkey does not open an account.
 */
export async function signInWithPasskey(
  deps: Platform,
  site: RelyingParty,
  { assertion, browser }: PasskeySignIn,
): Promise<string | undefined> {
  const checked = await checkPasskeyAlone(deps, site, assertion);
  // An unknown passkey is not audited: anybody can send any number of them.
  if (!checked) return undefined;
  return inTransaction(deps.db, async (trx) => {
    const account = await lockAccount(trx, checked.passkey.accountId);
    const mayEnter =
      account?.disabledAt === null &&
      (await recordPasskeyUse(trx, checked.passkey.id, checked.signCount, deps.clock.now()));
    if (mayEnter) return startSession(trx, deps, { account, method: 'passkey', browser });
    await recordRefusedSignIn(trx, deps, { account, ipAddress: browser.ipAddress, method: 'passkey' });
    return undefined;
  });
}

/** Uses up a code that somebody typed. @returns its kind; undefined if it is not valid. */
async function useCode(
  trx: Trx,
  deps: Platform,
  accountId: string,
  typed: string,
): Promise<'authenticator' | 'recovery code' | undefined> {
  const digits = typed.replaceAll(/\s/g, '');
  if (/^\d{6}$/.test(digits))
    return (await useAuthenticatorCode(trx, deps, accountId, digits)) ? 'authenticator' : undefined;
  const code = canonicalRecoveryCode(typed);
  if (code === undefined) return undefined;
  const spent = await spendRecoveryCode(trx, accountId, deps.secrets.hash('recovery code', code));
  return spent ? 'recovery code' : undefined;
}

/** A code works once, so that somebody who saw it cannot use it again. */
async function useAuthenticatorCode(
  trx: Trx,
  deps: Platform,
  accountId: string,
  code: string,
): Promise<boolean> {
  const sealed = await findAuthenticatorSecret(trx, accountId);
  const secret = sealed && openTotpSecret(deps, accountId, sealed);
  const counter = secret === undefined ? undefined : await timeStepOfCode(secret, code, deps.clock.now());
  return counter !== undefined && useUpCodesUntil(trx, accountId, counter);
}
