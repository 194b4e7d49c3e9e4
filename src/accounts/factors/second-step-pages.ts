import { Type } from 'typebox';
import { type FormErrors, fieldError } from '../../platform/html/index.ts';
import { type App, page, type Reply, visitor } from '../../platform/http/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { notFound, Problem, unprocessable } from '../../platform/problem/index.ts';
import { findSecondFactors } from '../model/second-factors-store.ts';
import { relyingParty } from '../model/sign-in-settings.ts';
import { nextSchema, pathOfThisSite, withOwnNext } from '../sign-in/next-path.ts';
import { findSecondStepAccountId, secondStepPath, stepCookie } from '../sign-in/second-step.ts';
import { setSessionCookie } from '../sign-in/session.ts';
import { signInBrowser } from '../sign-in/start-session.ts';
import { finishSignIn, signInWithPasskey } from './finish-sign-in.ts';
import { secondFactorOptions, signInOptions } from './passkey-options.ts';
import { assertionSchema, checkPasskeyAsFactor } from './passkeys.ts';
import { canonicalRecoveryCode } from './recovery-codes.ts';

const querystring = Type.Object({ next: nextSchema });
const body = Type.Object({ code: Type.String({ maxLength: 1000 }), next: nextSchema });

/** The path back to the first step, for somebody who took too long or typed too many wrong codes. */
const firstStepPath = (nextPath: string | undefined) => withOwnNext(nextPath, '/signin?expired=yes');

function wrongCode({ authenticatorSince }: { authenticatorSince: Date | null }, typed: string): FormErrors {
  const isWhole =
    (authenticatorSince && /^(\s*\d){6}\s*$/.test(typed)) || canonicalRecoveryCode(typed) !== undefined;
  if (!isWhole)
    return fieldError(
      'code',
      `The code is not right. Enter ${authenticatorSince ? 'the 6 digits' : 'a whole recovery code'}`,
    );
  const advice = authenticatorSince
    ? 'Enter a new code: each works once'
    : 'Enter a recovery code that you have not used yet';
  return fieldError('code', `The code is not right. ${advice}`);
}

/** The second step of signing in: a code from an authenticator app, a recovery code, or a passkey. */
export function secondStepPages(app: App, deps: WebPlatform): void {
  const { settings, pages } = deps;
  const config = page(visitor, { allowedWithoutSecondFactor: true });
  const template = 'accounts/factors/templates/code.njk';
  const stepContext = async (accountId: string) => ({
    ...(await findSecondFactors(deps.db, accountId)),
    passkeysWork: relyingParty(settings) !== undefined,
  });

  app.get(secondStepPath, { config, schema: { querystring } }, async (request, reply) => {
    const nextPath = pathOfThisSite(request.query.next);
    const accountId = await findSecondStepAccountId(deps, stepCookie.read(request, settings) ?? '');
    if (accountId === undefined) return reply.redirect(firstStepPath(nextPath), 303);
    return pages.send(request, reply, template, { next: nextPath, ...(await stepContext(accountId)) });
  });

  app.post(secondStepPath, { config, schema: { querystring, body } }, async (request, reply) => {
    const nextPath = pathOfThisSite(request.body.next ?? request.query.next);
    const stepSecret = stepCookie.read(request, settings) ?? '';
    const accountId = await findSecondStepAccountId(deps, stepSecret);
    const answer = { code: request.body.code };
    const result = await finishSignIn(deps, {
      stepSecret,
      answer,
      browser: signInBrowser(request, settings),
    });
    if (result.kind === 'wrong' && accountId !== undefined) {
      reply.code(unprocessable.status);
      const known = await stepContext(accountId);
      return pages.send(request, reply, template, {
        next: nextPath,
        errors: wrongCode(known, request.body.code),
        ...known,
      });
    }
    stepCookie.clear(reply, settings);
    if (result.kind !== 'signed-in') return reply.redirect(firstStepPath(nextPath), 303);
    setSessionCookie(reply, settings, result.sessionSecret);
    return reply.redirect(nextPath ?? '/', 303);
  });
}

const passkeyForm = Type.Object({
  passkey: assertionSchema,
  next: nextSchema,
});
const scriptConfig = page(visitor, { allowedWithoutSecondFactor: true, takesJson: true, countsAsCall: true });

/** The calls of the script on the sign-in pages, for a passkey alone and for one after the password. */
export function passkeySignInRoutes(app: App, deps: WebPlatform): void {
  const { settings } = deps;
  const party = relyingParty(settings);
  if (!party) return;

  app.post('/signin/passkey/options', { config: scriptConfig }, () => signInOptions(deps, party));

  app.post(
    '/signin/passkey',
    { config: scriptConfig, schema: { body: passkeyForm } },
    async (request, reply) => {
      const { passkey: assertion, next } = request.body;
      const sessionSecret = await signInWithPasskey(deps, party, {
        assertion,
        browser: signInBrowser(request, settings),
      });
      if (sessionSecret === undefined) return refusePasskey(reply);
      setSessionCookie(reply, settings, sessionSecret);
      return { go_to: pathOfThisSite(next) ?? '/' };
    },
  );

  app.post('/signin/code/passkey/options', { config: scriptConfig }, async (request) => {
    const accountId = await findSecondStepAccountId(deps, stepCookie.read(request, settings) ?? '');
    if (accountId === undefined) throw new Problem(notFound);
    return secondFactorOptions(deps, party, accountId);
  });

  app.post(
    '/signin/code/passkey',
    { config: scriptConfig, schema: { body: passkeyForm } },
    async (request, reply) => {
      const { passkey: assertion, next } = request.body;
      const stepSecret = stepCookie.read(request, settings) ?? '';
      const accountId = await findSecondStepAccountId(deps, stepSecret);
      if (accountId === undefined) throw new Problem(notFound);
      const passkey = await checkPasskeyAsFactor(deps, party, assertion, accountId);
      const result = await finishSignIn(deps, {
        stepSecret,
        answer: { passkey },
        browser: signInBrowser(request, settings),
      });
      if (result.kind !== 'signed-in') return refusePasskey(reply);
      stepCookie.clear(reply, settings);
      setSessionCookie(reply, settings, result.sessionSecret);
      return { go_to: pathOfThisSite(next) ?? '/' };
    },
  );
}

function refusePasskey(reply: Reply) {
  return reply.code(unprocessable.status).send({
    message:
      'This passkey does not open an account here, or it took too long. Try again, or sign in another way.',
  });
}
