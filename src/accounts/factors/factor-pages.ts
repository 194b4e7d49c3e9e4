import { Type } from 'typebox';
import { fieldProblem } from '../../platform/html/index.ts';
import { type App, page, type Reply, type Request, signedIn } from '../../platform/http/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { requireCaller } from '../caller.ts';
import { beginAuthenticator, pendingTotpSecret } from './begin-authenticator.ts';
import { confirmAuthenticatorApp } from './confirm-authenticator.ts';
import { renewRecoveryCodes } from './make-recovery-codes.ts';
import { removalPage } from './removal-page.ts';
import { findSecondFactors } from './second-factors-store.ts';
import { qrCodeOf } from './totp.ts';

const config = page(signedIn(), { fresh: true });
const setUpPath = '/account/authenticator';
const confirming = page(signedIn(), { fresh: setUpPath });
const codesPath = '/account/recovery-codes';
const codeForm = Type.Object({ code: Type.String({ maxLength: 1000 }) });
const wrongCode = fieldProblem('code', 'The code is not right. Enter the 6 digits that the app shows now');
const querystring = Type.Object({ wrong: Type.Optional(Type.Literal('yes')) });

/** Setting up and removing an authenticator app, and making recovery codes. */
export function factorPages(app: App, deps: WebPlatform): void {
  setUpPages(app, deps);
  recoveryCodePages(app, deps);
  removalPage(app, deps, {
    path: '/account/authenticator/remove',
    find: async (accountId) => {
      const { authenticatorSince } = await findSecondFactors(deps.db, accountId);
      return authenticatorSince === null ? undefined : { factor: 'authenticator app' };
    },
  });
}

function setUpPages(app: App, deps: WebPlatform): void {
  const { settings, pages } = deps;
  app.post(setUpPath, { config }, async (request, reply) => {
    await beginAuthenticator(deps, requireCaller(request).accountId);
    return reply.redirect(setUpPath, 303);
  });

  app.get(setUpPath, { config, schema: { querystring } }, async (request, reply) => {
    const { accountId, email } = requireCaller(request);
    const secret = await pendingTotpSecret(deps, accountId);
    if (secret === undefined) return reply.redirect('/account', 303);
    return pages.send(request, reply, 'accounts/templates/authenticator.njk', {
      secret: secret.match(/.{1,4}/g)!.join(' '),
      qrCode: await qrCodeOf(secret, settings.siteName, email),
      errors: request.query.wrong && wrongCode,
    });
  });

  app.post(
    `${setUpPath}/confirm`,
    { config: confirming, schema: { body: codeForm } },
    async (request, reply) => {
      const caller = requireCaller(request);
      const result = await confirmAuthenticatorApp(deps, caller, request.body.code, request.ip);
      // Not answered with the page itself: an answer of refusal, with the secret in it, may be kept somewhere.
      if (result.kind === 'wrong code') return reply.redirect(`${setUpPath}?wrong=yes`, 303);
      if (result.kind === 'nothing begun') return reply.redirect('/account', 303);
      if (result.codes.length === 0) return reply.redirect('/account?done=authenticator', 303);
      return sendCodes(deps, request, reply, result.codes);
    },
  );
}

function recoveryCodePages(app: App, deps: WebPlatform): void {
  app.get(codesPath, { config }, async (request, reply) => {
    const factors = await findSecondFactors(deps.db, requireCaller(request).accountId);
    return deps.pages.send(request, reply, 'accounts/templates/recovery-codes.njk', factors);
  });

  app.post(codesPath, { config }, async (request, reply) => {
    const codes = await renewRecoveryCodes(deps, requireCaller(request), request.ip);
    if (codes.length === 0) return reply.redirect('/account', 303);
    return sendCodes(deps, request, reply, codes);
  });
}

/** The one answer that has them: nothing keeps them that could show them again. */
function sendCodes({ pages }: WebPlatform, request: Request, reply: Reply, codes: string[]): Reply {
  return pages.send(request, reply, 'accounts/templates/recovery-codes.njk', { codes });
}
