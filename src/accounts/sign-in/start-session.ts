import { recordAudit } from '../../audit/index.ts';
import type { Trx } from '../../platform/database/index.ts';
import type { Request } from '../../platform/http/index.ts';
import { newId } from '../../platform/ids/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { newSecret } from '../../platform/secrets/index.ts';
import type { Settings } from '../../platform/settings/index.ts';
import type { Account } from '../model/account.ts';
import { actorOf, callerOf } from '../model/caller.ts';
import { deleteSession, insertSession } from '../model/sessions-store.ts';
import { describeBrowser } from './describe-browser.ts';
import { sessionLength, sessionSecretOf } from './session.ts';

/** How somebody proved who they are. */
export type SignInMethod =
  | 'password'
  | 'password and code'
  | 'password and passkey'
  | 'password and recovery code'
  | 'passkey'
  | 'openid-connect'
  | 'invitation';

export type SessionStart = {
  account: Account;
  method: SignInMethod;
  browser: SignInBrowser;
  /** When they proved it, if not just now: with a provider, a session counts from the sign-in there. */
  authenticatedAt?: Date;
};

/** Starts a session for somebody who has just proved who they are. @returns its secret, for the cookie. */
export async function startSession(trx: Trx, deps: Platform, start: SessionStart): Promise<string> {
  const { account, method } = start;
  const { ipAddress, userAgent, previousSessionSecret } = start.browser;
  const at = deps.clock.now();
  const id = newId();
  const secret = newSecret();
  if (previousSessionSecret) await deleteSession(trx, deps.secrets.hash('session', previousSessionSecret));
  await insertSession(trx, {
    id,
    secretHash: deps.secrets.hash('session', secret),
    accountId: account.id,
    at,
    authenticatedAt: start.authenticatedAt ?? at,
    expiresAt: new Date(at.getTime() + sessionLength.maxMs),
    ipAddress,
    signedInWithOpenId: method === 'openid-connect',
  });
  await recordAudit(trx, {
    at,
    actor: actorOf(callerOf(account, 'session'), ipAddress),
    action: 'session.started',
    subject: { type: 'session', id },
    // The list of a person's sessions shows the browser from here.
    details: { method, browser: await describeBrowser(userAgent) },
  });
  return secret;
}

/** The browser that somebody signs in with. */
export type SignInBrowser = {
  ipAddress: string;
  /** Anybody can send anything as a user agent, so only our description of it is stored. */
  userAgent?: string | undefined;
  /** The session it came with, which ends: a session that somebody planted must not become signed in. */
  previousSessionSecret?: string | undefined;
};

/** The browser of a request, with the session that it came with. */
export function signInBrowser(request: Request, settings: Settings): SignInBrowser {
  const userAgent = request.headers['user-agent'];
  return { ipAddress: request.ip, userAgent, previousSessionSecret: sessionSecretOf(request, settings) };
}
