import { recordAudit } from '../../audit/index.ts';
import { inTransaction, type Trx } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem/index.ts';
import { contactOf } from '../../platform/settings/index.ts';
import { useLink } from '../email-links/links.ts';
import { lockAccount, type StoredAccount } from '../model/accounts-store.ts';
import { actorOf, callerOf } from '../model/caller.ts';
import { findLinkedAccount, noteIdentityUse } from '../model/identities-store.ts';
import { dateSessionBack } from '../model/sessions-store.ts';
import { type SessionStart, type SignInBrowser, startSession } from '../sign-in/start-session.ts';
import { orRecordProviderRefusal } from './finish-flow.ts';
import { linkWithin } from './identities.ts';
import { identityUnknown } from './problems.ts';
import type { Person } from './provider.ts';

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
  deps.metrics.signInRefusals.inc({ method: 'openid_connect' });
  await recordAudit(trx, {
    at: deps.clock.now(),
    actor: { id: account?.id, name: account?.name ?? 'somebody', address },
    action: 'session.started',
    outcome: 'refused',
    details: { method: 'openid-connect', reason: account ? 'account disabled' : 'not linked' },
  });
}

/** What counts where a provider does not say when somebody signed in there: longer ago than any page accepts. */
const longAgoMs = 12 * 60 * 60_000;

/**
 * Starts a session for somebody whom the provider vouches for, second factor and all; ours is not asked for
 * (docs/decisions/0012). It is as fresh as their sign-in there. @returns its id, for the cookie.
 */
async function startProviderSession(
  trx: Trx,
  deps: Platform,
  person: Person,
  start: Omit<SessionStart, 'method'>,
): Promise<string> {
  const id = await startSession(trx, deps, { ...start, method: 'openid-connect' });
  const signedInAt = new Date(deps.clock.now().getTime() - (person.signedInMsAgo ?? longAgoMs));
  await dateSessionBack(trx, deps.secrets.hash('session', id), signedInAt);
  return id;
}

/**
 * Lets an invited person in who signs in at the provider instead of choosing a password: the invitation is used up, and
 * the account linked to them. @returns the id of the session.
 * @throws Problem `link-ended`, or `identity-taken`, which leaves the invitation as it was.
 */
export async function acceptWithProvider(
  deps: Platform,
  secret: string,
  { person, browser }: ProviderSignIn,
): Promise<string> {
  const at = deps.clock.now();
  const { address } = browser;
  return orRecordProviderRefusal(deps, 'identity.linked', { name: 'somebody', address }, () =>
    inTransaction(deps.db, async (trx) => {
      const account = await useLink(trx, deps, 'invitation', secret);
      const caller = callerOf(account, 'session');
      await linkWithin(trx, deps, caller, { person, address });
      await recordAudit(trx, {
        at,
        actor: actorOf(caller, address),
        action: 'account.invitation_accepted',
        subject: { type: 'account', id: account.id },
      });
      return startProviderSession(trx, deps, person, { account, browser });
    }),
  );
}
