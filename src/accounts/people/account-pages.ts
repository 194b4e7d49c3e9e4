import { Type } from 'typebox';
import { successBanner, toFormErrors } from '../../platform/html/index.ts';
import { type App, page, type Reply, type Request, signedIn } from '../../platform/http/index.ts';
import type { Platform, WebPlatform } from '../../platform/platform.ts';
import { Problem, requireRefusal, unprocessable } from '../../platform/problem/index.ts';
import { listPasskeys } from '../factors/passkeys-store.ts';
import { checkDisplayName } from '../model/account.ts';
import { updateName } from '../model/accounts-store.ts';
import { actorOf, type Caller, requireCaller } from '../model/caller.ts';
import { changeAccount } from '../model/change-account.ts';
import { dsptStatusWords, sharingRoleWords } from '../model/organisations/data-sharing.ts';
import { findDataSharingDetails } from '../model/organisations/data-sharing-store.ts';
import { findSecondFactors } from '../model/second-factors-store.ts';
import { listSessions } from '../model/sessions-store.ts';
import { providerName, relyingParty } from '../model/sign-in-settings.ts';
import { newsChoiceInWords } from '../notifications/choices-page.ts';
import { endOtherSessions, endSession } from '../sign-in/end-sessions.ts';
import { sessionLength, sessionSecretOf } from '../sign-in/session.ts';
import { contactPage } from './contact-page.ts';
import { loadLeave } from './leave-page.ts';
import { passwordPage } from './password-page.ts';

const config = page(signedIn());
const nameForm = Type.Object({ name: Type.String({ maxLength: 1000 }) });
const endForm = Type.Object({ session: Type.String({ maxLength: 100 }) });

const done = successBanner({
  name: 'Your name was changed.',
  contact: 'Your job title and telephone number were saved.',
  password: 'Your password was changed, and your other sessions have ended.',
  authenticator: 'The authenticator app was added. Next: make recovery codes, in case you lose it.',
  passkey: 'The passkey was added. Next time, sign in with it.',
  removed: 'The authenticator app or passkey was removed.',
  emails: 'Your choice of emails was saved.',
  leave: 'Your leave was saved.',
  'leave-ended': 'You get your emails about referrals again.',
  session: 'The session has ended.',
  sessions: 'All other sessions have ended.',
});
const querystring = Type.Object({ done: done.query });

/** A person's own account page: their name and roles, how they sign in, and where they are signed in. */
export function ownAccountPages(app: App, deps: WebPlatform): void {
  app.get('/account', { config, schema: { querystring } }, (request, reply) =>
    sendAccount(deps, request, reply, done.words(request.query.done)),
  );
  namePage(app, deps);
  contactPage(app, deps);
  passwordPage(app, deps);
  sessionForms(app, deps);
}

async function sendAccount(
  deps: WebPlatform,
  request: Request,
  reply: Reply,
  doneText: string | undefined,
): Promise<Reply> {
  const { db, settings, clock, secrets } = deps;
  const caller = requireCaller(request);
  const { accountId } = caller;
  const now = clock.now();
  const thisHash = secrets.hash('session', sessionSecretOf(request, settings) ?? '');
  const seenAfter = new Date(now.getTime() - sessionLength.idleMs);
  return deps.pages.send(request, reply, 'accounts/people/templates/account.njk', {
    person: caller,
    news: await newsChoiceInWords(deps, caller),
    done: doneText,
    factors: await findSecondFactors(db, accountId),
    passkeys: await listPasskeys(db, accountId),
    passkeysWork: relyingParty(settings) !== undefined,
    sessions: await listSessions(db, accountId, thisHash, now, seenAfter),
    provider: providerName(settings),
    organisation: caller.organisation && (await findDataSharingDetails(db, caller.organisation.id)),
    words: { sharingRoles: sharingRoleWords, dsptStatuses: dsptStatusWords },
    leave: (await loadLeave(deps, accountId)).leave,
  });
}

function namePage(app: App, deps: WebPlatform): void {
  const template = 'accounts/people/templates/account-name.njk';
  app.get('/account/name', { config }, (request, reply) =>
    deps.pages.send(request, reply, template, { name: requireCaller(request).name }),
  );
  app.post('/account/name', { config, schema: { body: nameForm } }, async (request, reply) => {
    const { name } = request.body;
    try {
      await changeName(deps, requireCaller(request), name, request.ip);
      return reply.redirect('/account?done=name', 303);
    } catch (error) {
      requireRefusal(error, [unprocessable]);
      const errors = toFormErrors({ name: 'Name' }, error);
      return deps.pages.send(request, reply.code(unprocessable.status), template, { name, errors });
    }
  });
}

function sessionForms(app: App, deps: WebPlatform): void {
  const { settings } = deps;
  app.post('/account/sessions/end', { config, schema: { body: endForm } }, async (request, reply) => {
    await endSession(deps, requireCaller(request), request.body.session, request.ip);
    return reply.redirect('/account?done=session', 303);
  });
  app.post('/account/sessions/end-others', { config }, async (request, reply) => {
    const sessionSecret = sessionSecretOf(request, settings);
    if (sessionSecret !== undefined)
      await endOtherSessions(deps, requireCaller(request), sessionSecret, request.ip);
    return reply.redirect('/account?done=sessions', 303);
  });
}

/** Changes a person's own name. @throws Problem `unprocessable`. */
async function changeName(deps: Platform, caller: Caller, typed: string, ipAddress: string): Promise<void> {
  const name = typed.trim();
  const errors = checkDisplayName(name);
  if (errors.length > 0) throw new Problem(unprocessable, 'The name was not changed.', { errors });
  const ref = { id: caller.accountId };
  await changeAccount(deps, actorOf(caller, ipAddress), ref, {
    action: 'account.renamed',
    async make(trx, account) {
      if (account.name === name) return { changed: false };
      await updateName(trx, account.id, name, deps.clock.now());
      return { changed: true, details: { from: account.name, to: name } };
    },
  });
}
