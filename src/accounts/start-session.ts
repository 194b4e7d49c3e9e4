import { recordAudit } from '../audit/index.ts';
import type { Trx } from '../platform/database/index.ts';
import { newId } from '../platform/ids/index.ts';
import type { Platform } from '../platform/platform.ts';
import { newSecret } from '../platform/secrets/index.ts';
import type { Account } from './account.ts';
import { browserInWords } from './browser-in-words.ts';
import { actorOf, callerOf } from './caller.ts';
import { sessionLength } from './session.ts';
import { deleteSession, insertSession } from './sessions-store.ts';
import type { SignInBrowser } from './sign-in-browser.ts';

/** How somebody showed who they are. */
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
};

/** Starts a session for somebody who has just shown who they are. @returns its id, for the cookie. */
export async function startSession(trx: Trx, deps: Platform, start: SessionStart): Promise<string> {
  const { account, method } = start;
  const { address, userAgent, previousSessionId } = start.browser;
  const at = deps.clock.now();
  const sessionId = newId();
  const id = newSecret();
  if (previousSessionId) await deleteSession(trx, deps.secrets.hash('session', previousSessionId));
  await insertSession(trx, {
    id: sessionId,
    idHash: deps.secrets.hash('session', id),
    accountId: account.id,
    at,
    expiresAt: new Date(at.getTime() + sessionLength.mostMs),
    address,
  });
  await recordAudit(trx, {
    at,
    actor: actorOf(callerOf(account, 'session'), address),
    action: 'session.started',
    subject: { type: 'session', id: sessionId },
    // The list of sessions shows it from here.
    details: { method, browser: await browserInWords(userAgent) },
  });
  return id;
}
