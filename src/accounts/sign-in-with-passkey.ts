import { inTransaction } from '../platform/database/index.ts';
import type { Platform } from '../platform/platform.ts';
import { checkAssertion } from './factors/check-assertion.ts';
import type { Assertion } from './factors/passkey-schemas.ts';
import { notePasskeyUse } from './factors/passkeys-store.ts';
import type { RelyingParty } from './factors/relying-party.ts';
import { refuseSignIn } from './refuse-sign-in.ts';
import type { SignInBrowser } from './sign-in-browser.ts';
import { startSession } from './start-session.ts';
import { lockAccount } from './store.ts';

type PasskeySignIn = { assertion: Assertion; browser: SignInBrowser };

/**
 * Signs a person in with a passkey alone: having the device is one factor, and the device made sure of the person by
 * another (a PIN, a finger, a face). No throttle: there is nothing in it to guess.
 * @returns the id of the new session, or undefined.
 */
export async function signInWithPasskey(
  deps: Platform,
  site: RelyingParty,
  { assertion, browser }: PasskeySignIn,
): Promise<string | undefined> {
  const checked = await checkAssertion(deps, site, assertion, null);
  // Nobody's passkey is nobody's failure, and anybody can send any number of them: none of that is kept for ever.
  if (!checked) return undefined;
  return inTransaction(deps.db, async (trx) => {
    const account = await lockAccount(trx, checked.passkey.accountId);
    const mayEnter =
      account?.disabledAt === null &&
      (await notePasskeyUse(trx, checked.passkey.id, checked.signCount, deps.clock.now()));
    if (mayEnter) return startSession(trx, deps, { account, method: 'passkey', browser });
    await refuseSignIn(trx, deps, { account, address: browser.address, method: 'passkey' });
    return undefined;
  });
}
