import { Type } from 'typebox';
import { type FormProblem, fieldProblem } from '../platform/html/index.ts';
import { type App, page, visitor } from '../platform/http/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import { unprocessable } from '../platform/problem/index.ts';
import { relyingParty } from './factors/relying-party.ts';
import { findSecondFactors } from './factors/second-factors-store.ts';
import { findStepAccount, finishSignIn } from './finish-sign-in.ts';
import { hostCookie } from './host-cookie.ts';
import { nextSchema, ownPath } from './own-path.ts';
import { setSessionCookie } from './session.ts';
import { signInBrowser } from './sign-in-browser.ts';
import { stepForMs } from './start-step.ts';

/** Holds the secret of the first step; only the browser that took it can take the second. */
export const stepCookie = hostCookie('onward-sign-in-step', stepForMs);

const path = '/signin/code';
const querystring = Type.Object({ next: nextSchema });
const body = Type.Object({ code: Type.String({ maxLength: 1000 }), next: nextSchema });

/** The page of the second step, which goes on to `next`. */
export function stepPath(goOn: string | undefined): string {
  return goOn === undefined ? path : `${path}?next=${encodeURIComponent(goOn)}`;
}

/** Back to the first step, for somebody who took too long or typed too many wrong codes. */
function startAgain(goOn: string | undefined): string {
  return `/signin?over=yes${goOn === undefined ? '' : `&next=${encodeURIComponent(goOn)}`}`;
}

function wrongCode({ authenticatorSince }: { authenticatorSince: Date | null }): FormProblem {
  const advice = authenticatorSince
    ? 'Enter a new code: each works once'
    : 'Enter a recovery code that you have not used yet';
  return fieldProblem('code', `The code is not right. ${advice}`);
}

/** The second step of signing in: a code from an authenticator app, a recovery code, or a passkey. */
export function secondStepPages(app: App, deps: WebPlatform): void {
  const { settings, pages } = deps;
  const config = page(visitor);
  const template = 'accounts/templates/code.njk';
  const facts = async (accountId: string) => ({
    ...(await findSecondFactors(deps.db, accountId)),
    passkeysWork: relyingParty(settings) !== undefined,
  });

  app.get(path, { config, schema: { querystring } }, async (request, reply) => {
    const goOn = ownPath(request.query.next);
    const accountId = await findStepAccount(deps, stepCookie.of(request, settings) ?? '');
    if (accountId === undefined) return reply.redirect(startAgain(goOn), 303);
    return pages.send(request, reply, template, { next: goOn, ...(await facts(accountId)) });
  });

  app.post(path, { config, schema: { querystring, body } }, async (request, reply) => {
    const goOn = ownPath(request.body.next ?? request.query.next);
    const stepId = stepCookie.of(request, settings) ?? '';
    const accountId = await findStepAccount(deps, stepId);
    const shown = { code: request.body.code };
    const result = await finishSignIn(deps, { stepId, shown, browser: signInBrowser(request, settings) });
    if (result.kind === 'wrong' && accountId !== undefined) {
      reply.code(unprocessable.status);
      const known = await facts(accountId);
      return pages.send(request, reply, template, { next: goOn, errors: wrongCode(known), ...known });
    }
    stepCookie.clear(reply, settings);
    if (result.kind !== 'signed in') return reply.redirect(startAgain(goOn), 303);
    setSessionCookie(reply, settings, result.sessionId);
    return reply.redirect(goOn ?? '/', 303);
  });
}
