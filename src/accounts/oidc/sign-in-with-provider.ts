import { recordAudit } from '../../audit/index.ts';
import { inTransaction, type Trx } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem/index.ts';
import { contactOf } from '../../platform/settings/index.ts';
import { signInRefusals } from '../refuse-sign-in.ts';
import type { SignInBrowser } from '../sign-in-browser.ts';
import { lockAccount, type StoredAccount } from '../store.ts';
import { findLinkedAccount, noteIdentityUse } from './identities-store.ts';
import type { Person } from './person.ts';
import { identityUnknown } from './problems.ts';
import { startProviderSession } from './start-provider-session.ts';

export type ProviderSignIn = { person: Person; browser: SignInBrowser };

/**
 * Signs in to the account that somebody at the provider is linked to. @returns the id of the new session.
 * @throws Problem `identity-unknown`, the same for a person without an account and for one whose account is disabled.
 */
export async function signInWithProvider(deps: Platform, input: ProviderSignIn): Promise<string> {
  const { person, browser } = input;
  const session = await inTransaction(deps.db, async (trx) => {
    const account = await findAndLock(trx, person);
    const mayEnter = account !== undefined && account.disabledAt === null;
    // The link may have gone while its account was waited for.
    if (!mayEnter || !(await noteIdentityUse(trx, account.id, person, deps.clock.now())))
      return refuse(trx, deps, account, browser.address);
    return startProviderSession(trx, deps, person, { account, browser });
  });
  if (session !== undefined) return session;
  throw new Problem(
    identityUnknown,
    `Ask ${contactOf(deps.settings)}, or sign in another way and link it on your account page.`,
  );
}

async function findAndLock(trx: Trx, person: Person): Promise<StoredAccount | undefined> {
  const id = await findLinkedAccount(trx, person);
  return id === undefined ? undefined : lockAccount(trx, id);
}

async function refuse(
  trx: Trx,
  deps: Platform,
  account: StoredAccount | undefined,
  address: string,
): Promise<undefined> {
  signInRefusals.openid_connect += 1;
  await recordAudit(trx, {
    at: deps.clock.now(),
    actor: { id: account?.id, name: account?.name ?? 'somebody', address },
    action: 'session.started',
    outcome: 'refused',
    details: { method: 'openid-connect', reason: account ? 'account disabled' : 'not linked' },
  });
}
