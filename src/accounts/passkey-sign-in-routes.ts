import { Type } from 'typebox';
import { type App, page, type Reply, visitor } from '../platform/http/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import { notFound, Problem, unprocessable } from '../platform/problem/index.ts';
import { checkAssertion } from './factors/check-assertion.ts';
import { secondFactorOptions, signInOptions } from './factors/passkey-options.ts';
import { assertionSchema } from './factors/passkey-schemas.ts';
import { relyingParty } from './factors/relying-party.ts';
import { findStepAccount, finishSignIn } from './finish-sign-in.ts';
import { nextSchema, ownPath } from './own-path.ts';
import { stepCookie } from './second-step-pages.ts';
import { setSessionCookie } from './session.ts';
import { signInBrowser } from './sign-in-browser.ts';
import { signInWithPasskey } from './sign-in-with-passkey.ts';

const body = Type.Object({
  passkey: assertionSchema,
  next: nextSchema,
});
const config = { ...page(visitor), takesJson: true, countsAsCall: true };

/** What the script of the sign-in pages asks for: with a passkey alone, and with one after the password. */
export function passkeySignInRoutes(app: App, deps: WebPlatform): void {
  const { settings } = deps;
  const site = relyingParty(settings);
  if (!site) return;

  app.post('/signin/passkey/options', { config }, () => signInOptions(deps, site));

  app.post('/signin/passkey', { config, schema: { body } }, async (request, reply) => {
    const { passkey: assertion, next } = request.body;
    const sessionId = await signInWithPasskey(deps, site, {
      assertion,
      browser: signInBrowser(request, settings),
    });
    if (sessionId === undefined) return refuse(reply);
    setSessionCookie(reply, settings, sessionId);
    return { go_to: ownPath(next) ?? '/' };
  });

  app.post('/signin/code/passkey/options', { config }, async (request) => {
    const accountId = await findStepAccount(deps, stepCookie.of(request, settings) ?? '');
    if (accountId === undefined) throw new Problem(notFound);
    return secondFactorOptions(deps, site, accountId);
  });

  app.post('/signin/code/passkey', { config, schema: { body } }, async (request, reply) => {
    const { passkey: assertion, next } = request.body;
    const stepId = stepCookie.of(request, settings) ?? '';
    const accountId = await findStepAccount(deps, stepId);
    if (accountId === undefined) throw new Problem(notFound);
    const passkey = await checkAssertion(deps, site, assertion, accountId);
    const result = await finishSignIn(deps, {
      stepId,
      shown: { passkey },
      browser: signInBrowser(request, settings),
    });
    if (result.kind !== 'signed in') return refuse(reply);
    stepCookie.clear(reply, settings);
    setSessionCookie(reply, settings, result.sessionId);
    return { go_to: ownPath(next) ?? '/' };
  });
}

function refuse(reply: Reply) {
  return reply.code(unprocessable.status).send({
    message:
      'This passkey does not open an account here, or it took too long. Try again, or sign in another way.',
  });
}
