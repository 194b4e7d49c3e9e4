import { inTransaction, type Trx } from '../platform/database/index.ts';
import type { Platform } from '../platform/platform.ts';
import type { CheckedPasskey } from './factors/check-assertion.ts';
import { notePasskeyUse } from './factors/passkeys-store.ts';
import { useCode } from './factors/use-code.ts';
import { refuseSignIn } from './refuse-sign-in.ts';
import type { SignInBrowser } from './sign-in-browser.ts';
import { deleteStep, findStep, takeTry } from './sign-in-steps-store.ts';
import { type SignInMethod, startSession } from './start-session.ts';
import { lockAccount } from './store.ts';
import { tellHolder } from './tell-holder.ts';
import { beforeAttempt, noteSuccess } from './throttle.ts';

export type SecondStep = {
  /** The secret of the first step, from its cookie. */
  stepId: string;
  /** What is shown besides the password. `passkey` is undefined where one was shown that is not good. */
  shown: { code: string } | { passkey: CheckedPasskey | undefined };
  browser: SignInBrowser;
};

export type SecondStepResult =
  | { kind: 'signed in'; sessionId: string }
  | { kind: 'wrong' }
  /** There is no such step (any more): the password is needed again. */
  | { kind: 'over' };

/** Whose second step it is, while it lasts. */
export function findStepAccount(deps: Platform, stepId: string): Promise<string | undefined> {
  return findStep(deps.db, deps.secrets.hash('sign-in step', stepId), deps.clock.now());
}

/**
 * Takes the second of two steps of signing in, for somebody who has shown the password in this very browser.
 * @throws Problem `too-many-attempts`.
 */
export async function finishSignIn(deps: Platform, input: SecondStep): Promise<SecondStepResult> {
  const { stepId, shown, browser } = input;
  const { address } = browser;
  const accountId = await findStepAccount(deps, stepId);
  if (accountId === undefined) return { kind: 'over' };
  const attempt = await beforeAttempt(deps, { kind: 'code', accountId, address });
  return inTransaction(deps.db, async (trx) => {
    const account = await lockAccount(trx, accountId);
    const idHash = deps.secrets.hash('sign-in step', stepId);
    const counts = await takeTry(trx, idHash, deps.clock.now());
    if (!account || account.disabledAt !== null || !counts) return { kind: 'over' };
    const method = await methodOf(trx, deps, accountId, shown);
    if (method === undefined) {
      await refuseSignIn(trx, deps, { account, address, method: 'code' in shown ? 'code' : 'passkey' });
      return { kind: 'wrong' };
    }
    await noteSuccess(trx, deps, attempt);
    await deleteStep(trx, idHash);
    if (method === 'password and recovery code')
      await tellHolder(trx, deps, account, 'A recovery code was used to sign in to your account', {
        address,
      });
    const sessionId = await startSession(trx, deps, { account, method, browser });
    return { kind: 'signed in', sessionId };
  });
}

/** Uses up what was shown. @returns how the person has signed in then, or undefined where it is worth nothing. */
async function methodOf(
  trx: Trx,
  deps: Platform,
  accountId: string,
  shown: SecondStep['shown'],
): Promise<SignInMethod | undefined> {
  if ('code' in shown) {
    const used = await useCode(trx, deps, accountId, shown.code);
    if (used === undefined) return undefined;
    return used === 'authenticator' ? 'password and code' : 'password and recovery code';
  }
  const { passkey: checked } = shown;
  if (checked?.passkey.accountId !== accountId) return undefined;
  const noted = await notePasskeyUse(trx, checked.passkey.id, checked.signCount, deps.clock.now());
  return noted ? 'password and passkey' : undefined;
}
