import { anonymousActor, recordAudit } from '../../audit/index.ts';
import { inTransaction, type Trx } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem/index.ts';
import { contactOf } from '../../platform/settings/index.ts';
import { useLink } from '../email-links/links.ts';
import { lockAccount, type StoredAccount } from '../model/accounts-store.ts';
import { actorOf, callerOf } from '../model/caller.ts';
import { findLinkedAccount, recordIdentityUse } from '../model/identities-store.ts';
import { sessionLength } from '../sign-in/session.ts';
import { recordRefusedSignIn } from '../sign-in/sign-in.ts';
import { type SessionStart, type SignInBrowser, startSession } from '../sign-in/start-session.ts';
import { auditedWithProvider } from './finish-flow.ts';
import { linkInTransaction } from './identities.ts';
import { identityUnknown } from './problems.ts';
import type { Person } from './provider.ts';

export type ProviderSignIn = { person: Person; browser: SignInBrowser };

/**
 * Signs in to the account that is linked to somebody at the provider. @returns the secret of the new session.
 * @throws Problem `identity-unknown`, the same for a person without an account and for one whose account is disabled.
 */
export async function signInWithProvider(deps: Platform, input: ProviderSignIn): Promise<string> {
  const { person, browser } = input;
  const sessionSecret = await inTransaction(deps.db, async (trx) => {
    const account = await findAndLock(trx, person);
    const mayEnter = account !== undefined && account.disabledAt === null;
    // The link may have been removed before the account was locked.
    if (!mayEnter || !(await recordIdentityUse(trx, account.id, person, deps.clock.now()))) {
      const reason = account ? 'account disabled' : 'not linked';
      const { ipAddress } = browser;
      await recordRefusedSignIn(trx, deps, { account, ipAddress, method: 'openid-connect', reason });
      return undefined;
    }
    return startProviderSession(trx, deps, person, { account, browser });
  });
  if (sessionSecret !== undefined) return sessionSecret;
  throw new Problem(
    identityUnknown,
    `Ask ${contactOf(deps.settings)}, or sign in another way and link it on your account page.`,
  );
}

async function findAndLock(trx: Trx, person: Person): Promise<StoredAccount | undefined> {
  const id = await findLinkedAccount(trx, person);
  return id === undefined ? undefined : lockAccount(trx, id);
}

/**
 * Starts a session, as old as the sign-in at the provider. If the provider does not say how old that is, it counts as too long ago
 * for any sensitive page. Our second factor is not asked for (decision 12).
 * @returns its secret, for the cookie.
 */
function startProviderSession(
  trx: Trx,
  deps: Platform,
  person: Person,
  start: Omit<SessionStart, 'method'>,
): Promise<string> {
  const authenticatedAt = new Date(
    deps.clock.now().getTime() - (person.signedInMsAgo ?? sessionLength.maxMs),
  );
  return startSession(trx, deps, { ...start, method: 'openid-connect', authenticatedAt });
}

/**
 * Accepts an invitation for somebody who signs in at the provider instead of choosing a password: their account is linked,
 * and they are signed in. @returns the secret of the new session.
 * @throws Problem `link-ended`, or `identity-taken`, which leaves the invitation open.
 */
export async function acceptWithProvider(
  deps: Platform,
  secret: string,
  { person, browser }: ProviderSignIn,
): Promise<string> {
  const at = deps.clock.now();
  const { ipAddress } = browser;
  return auditedWithProvider(deps, 'identity.linked', anonymousActor(ipAddress), () =>
    inTransaction(deps.db, async (trx) => {
      const account = await useLink(trx, deps, 'invitation', secret);
      const caller = callerOf(account, 'session');
      await linkInTransaction(trx, deps, caller, { person, ipAddress });
      await recordAudit(trx, {
        at,
        actor: actorOf(caller, ipAddress),
        action: 'account.invitation_accepted',
        subject: { type: 'account', id: account.id },
      });
      return startProviderSession(trx, deps, person, { account, browser });
    }),
  );
}
