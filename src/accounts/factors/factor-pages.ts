import { Type } from 'typebox';
import { fieldError, successBanner } from '../../platform/html/index.ts';
import { type App, page, type Reply, type Request, signedIn } from '../../platform/http/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { requireCaller } from '../model/caller.ts';
import { findSecondFactors, signsInByPasswordAlone } from '../model/second-factors-store.ts';
import { relyingParty } from '../model/sign-in-settings.ts';
import { nextSchema, pathOfThisSite, withOwnNext } from '../sign-in/next-path.ts';
import { beginAuthenticator, confirmAuthenticatorApp, pendingTotpSecret, qrCodeOf } from './authenticator.ts';
import { renewRecoveryCodes } from './recovery-codes.ts';
import { factorRemovalPage } from './removal-page.ts';

const config = page(signedIn(), { needsRecentSignIn: true, allowedWithoutSecondFactor: true });
const requiredPath = '/account/second-factor';
const authenticatorPath = '/account/authenticator';
const confirming = page(signedIn(), {
  needsRecentSignIn: true,
  returnTo: authenticatorPath,
  allowedWithoutSecondFactor: true,
});
const codesPath = '/account/recovery-codes';
/**
 * `next` is the page that somebody came for when they were asked to set up a second factor. Forms have it in their address,
 * so that it is kept when they have to sign in again.
 */
const nextOnly = Type.Object({ next: nextSchema });
const codesDone = successBanner({
  passkey: 'Your passkey was added. Next: make recovery codes, for a day when you do not have it.',
  'first-codes': 'Two-step sign-in is on. Next: keep these codes.',
  'new-codes': 'New recovery codes were made. The old ones no longer work.',
});
const codeForm = Type.Object({ code: Type.String({ maxLength: 1000 }) });
const wrongCode = fieldError('code', 'The code is not right. Enter the 6 digits that the app shows now');
const querystring = Type.Object({ wrong: Type.Optional(Type.Literal('yes')), next: nextSchema });

/** The pages to set up and remove an authenticator app, and to make recovery codes. */
export function factorPages(app: App, deps: WebPlatform): void {
  firstFactorPage(app, deps);
  setUpPages(app, deps);
  recoveryCodePages(app, deps);
  factorRemovalPage(app, deps, {
    path: '/account/authenticator/remove',
    find: async (accountId) => {
      const { authenticatorSince } = await findSecondFactors(deps.db, accountId);
      return authenticatorSince === null ? undefined : { factor: 'authenticator app' };
    },
  });
}

/** The page for somebody who has no second factor, whether or not one is required: it offers the ways to set one up. */
function firstFactorPage(app: App, { pages, settings, db }: WebPlatform): void {
  app.get(requiredPath, { config, schema: { querystring: nextOnly } }, async (request, reply) => {
    const { accountId, mustAddFactorNow, mustAddFactorBy } = requireCaller(request);
    const isRequired = mustAddFactorNow === true || mustAddFactorBy !== undefined;
    if (!isRequired && !(await signsInByPasswordAlone(db, accountId)))
      return reply.redirect(pathOfThisSite(request.query.next) ?? '/account', 303);
    return pages.send(request, reply, 'accounts/factors/templates/required-factor.njk', {
      isRequired,
      dueAt: mustAddFactorBy,
      next: pathOfThisSite(request.query.next),
      passkeysPath: relyingParty(settings) && withOwnNext(request.query.next, '/account/passkeys'),
    });
  });
}

function setUpPages(app: App, deps: WebPlatform): void {
  const { settings, pages } = deps;
  app.post(authenticatorPath, { config, schema: { querystring: nextOnly } }, async (request, reply) => {
    await beginAuthenticator(deps, requireCaller(request).accountId);
    return reply.redirect(withOwnNext(request.query.next, authenticatorPath), 303);
  });

  app.get(authenticatorPath, { config, schema: { querystring } }, async (request, reply) => {
    const { accountId, email } = requireCaller(request);
    const secret = await pendingTotpSecret(deps.db, deps, accountId);
    const { next, wrong } = request.query;
    if (secret === undefined) return reply.redirect(pathOfThisSite(next) ?? '/account', 303);
    return pages.send(request, reply, 'accounts/factors/templates/authenticator.njk', {
      next: pathOfThisSite(next),
      secret: secret.match(/.{1,4}/g)!.join(' '),
      qrCode: await qrCodeOf(secret, settings.siteName, email),
      errors: wrong && wrongCode,
    });
  });

  app.post(
    `${authenticatorPath}/confirm`,
    { config: confirming, schema: { querystring: nextOnly, body: codeForm } },
    async (request, reply) => {
      const caller = requireCaller(request);
      const { code } = request.body;
      const { next } = request.query;
      const result = await confirmAuthenticatorApp(deps, caller, code, request.ip);
      // A redirect, because the page contains the secret, and somebody may log or keep error answers.
      if (result.kind === 'wrong-code')
        return reply.redirect(withOwnNext(next, `${authenticatorPath}?wrong=yes`), 303);
      if (result.kind === 'not-started') return reply.redirect(pathOfThisSite(next) ?? '/account', 303);
      if (result.codes.length === 0)
        return reply.redirect(pathOfThisSite(next) ?? '/account?done=authenticator', 303);
      return sendCodes(deps, request, reply, { codes: result.codes, next, done: 'first-codes' });
    },
  );
}

function recoveryCodePages(app: App, deps: WebPlatform): void {
  const codesQuery = Type.Object({ next: nextSchema, done: codesDone.query });
  app.get(codesPath, { config, schema: { querystring: codesQuery } }, async (request, reply) => {
    const factors = await findSecondFactors(deps.db, requireCaller(request).accountId);
    return deps.pages.send(request, reply, 'accounts/factors/templates/recovery-codes.njk', {
      ...factors,
      next: pathOfThisSite(request.query.next),
      done: codesDone.words(request.query.done),
    });
  });

  app.post(codesPath, { config, schema: { querystring: nextOnly } }, async (request, reply) => {
    const { recoveryCodes } = await findSecondFactors(deps.db, requireCaller(request).accountId);
    const codes = await renewRecoveryCodes(deps, requireCaller(request), request.ip);
    if (codes.length === 0) return reply.redirect('/account', 303);
    const { next } = request.query;
    const done = recoveryCodes > 0 ? 'new-codes' : 'first-codes';
    return sendCodes(deps, request, reply, { codes, next, done });
  });
}

/** Shows the codes once; they are stored only as hashes. */
function sendCodes(
  { pages }: WebPlatform,
  request: Request,
  reply: Reply,
  shown: { codes: string[]; next: string | undefined; done: 'first-codes' | 'new-codes' },
): Reply {
  return pages.send(request, reply, 'accounts/factors/templates/recovery-codes.njk', {
    codes: shown.codes,
    next: pathOfThisSite(shown.next),
    done: codesDone.words(shown.done),
  });
}
