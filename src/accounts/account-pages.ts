import { Type } from 'typebox';
import { fieldProblem, justDone } from '../platform/html/index.ts';
import { type App, page, type Reply, type Request, signedIn } from '../platform/http/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import { unprocessable } from '../platform/problem/index.ts';
import { requireCaller } from './caller.ts';
import { changeName } from './change-name.ts';
import { endOtherSessions, endSession } from './end-sessions.ts';
import { listPasskeys } from './factors/passkeys-store.ts';
import { relyingParty } from './factors/relying-party.ts';
import { findSecondFactors } from './factors/second-factors-store.ts';
import { passwordPage } from './password-page.ts';
import { providerName } from './provider-name.ts';
import { sessionIdOf, sessionLength } from './session.ts';
import { listSessions } from './sessions-store.ts';

const config = page(signedIn());
const nameForm = Type.Object({ name: Type.String({ maxLength: 1000 }) });
const nameProblem = fieldProblem('name', 'Enter a name of 1 to 120 characters');
const endForm = Type.Object({ session: Type.String({ maxLength: 100 }) });

const done = justDone({
  name: 'Your name was changed.',
  password: 'Your password was changed, and your other sessions have ended.',
  authenticator: 'The authenticator app was added.',
  passkey: 'The passkey was added.',
  removed: 'The second factor was removed.',
  session: 'The session has ended.',
  sessions: 'All other sessions have ended.',
});
const querystring = Type.Object({ done: done.query });

/** The account's own page: who one is here, what one signs in with, and where one is signed in. */
export function ownAccountPages(app: App, deps: WebPlatform): void {
  app.get('/account', { config, schema: { querystring } }, (request, reply) =>
    sendAccount(deps, request, reply, done.words(request.query.done)),
  );
  namePage(app, deps);
  passwordPage(app, deps);
  sessionForms(app, deps);
}

async function sendAccount(
  deps: WebPlatform,
  request: Request,
  reply: Reply,
  said: string | undefined,
): Promise<Reply> {
  const { db, settings, clock, secrets } = deps;
  const caller = requireCaller(request);
  const { accountId } = caller;
  const now = clock.now();
  const thisHash = secrets.hash('session', sessionIdOf(request, settings) ?? '');
  const seenAfter = new Date(now.getTime() - sessionLength.idleMs);
  return deps.pages.send(request, reply, 'accounts/templates/account.njk', {
    person: caller,
    done: said,
    factors: await findSecondFactors(db, accountId),
    passkeys: await listPasskeys(db, accountId),
    passkeysWork: relyingParty(settings) !== undefined,
    sessions: await listSessions(db, accountId, thisHash, now, seenAfter),
    provider: providerName(settings),
  });
}

function namePage(app: App, deps: WebPlatform): void {
  const template = 'accounts/templates/account-name.njk';
  app.get('/account/name', { config }, (request, reply) =>
    deps.pages.send(request, reply, template, { name: requireCaller(request).name }),
  );
  app.post('/account/name', { config, schema: { body: nameForm } }, async (request, reply) => {
    const { name } = request.body;
    if (await changeName(deps, requireCaller(request), name, request.ip))
      return reply.redirect('/account?done=name', 303);
    return deps.pages.send(request, reply.code(unprocessable.status), template, {
      name,
      errors: nameProblem,
    });
  });
}

function sessionForms(app: App, deps: WebPlatform): void {
  const { settings } = deps;
  app.post('/account/sessions/end', { config, schema: { body: endForm } }, async (request, reply) => {
    await endSession(deps, requireCaller(request), request.body.session, request.ip);
    return reply.redirect('/account?done=session', 303);
  });
  app.post('/account/sessions/end-others', { config }, async (request, reply) => {
    const kept = sessionIdOf(request, settings);
    if (kept !== undefined) await endOtherSessions(deps, requireCaller(request), kept, request.ip);
    return reply.redirect('/account?done=sessions', 303);
  });
}
