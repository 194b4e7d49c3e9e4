import { Type } from 'typebox';
import { requireCaller, tooManyAttempts } from '../../accounts/index.ts';
import {
  type FormErrors,
  readFields,
  readUntrimmedFields,
  successBanner,
  toFormErrors,
} from '../../platform/html/index.ts';
import { type App, anyForm, page, type Reply, type Request, signedIn } from '../../platform/http/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { requireRefusal, unprocessable } from '../../platform/problem/index.ts';
import { findCopyChoice } from '../model/offline-copies-store.ts';
import { chooseCopy, downloadCopy, findOwnOrganisation, seesAll, stopCopy } from './choose-copy.ts';
import { fileNameOf } from './make-copy.ts';

const path = '/offline-copy';
const access = signedIn('referrer', 'provider');
const done = successBanner({
  chosen: 'Saved. The first copy is made now: open this page again in a minute.',
  stopped: 'The copy was stopped, and the last one was deleted.',
});
/** The messages are whole sentences, so the fields need no labels. */
const labels = { copy_password: '', email: '' };

/** Where an organisation chooses a nightly copy of its open referrals, and downloads the last one. */
export function offlineCopyPages(app: App, deps: WebPlatform): void {
  const querystring = Type.Object({ done: done.query });
  app.get(
    path,
    {
      config: page(access, { needsRecentSignIn: true, countsAsCall: true }),
      schema: { hide: true, querystring },
    },
    (request, reply) => send(deps, request, reply, { done: done.words(request.query.done) }),
  );

  const config = page(access, { needsRecentSignIn: true, returnTo: path, countsAsCall: true });
  app.post(path, { config, schema: { hide: true, body: anyForm } }, async (request, reply) => {
    try {
      // A password may begin or end with a space.
      const { copy_password: password } = readUntrimmedFields(request.body, ['copy_password']);
      const { email } = readFields(request.body, ['email']);
      await chooseCopy(deps, requireCaller(request), { password, email }, request.ip);
      return reply.redirect(done.path(path, 'chosen'), 303);
    } catch (error) {
      requireRefusal(error, [unprocessable, tooManyAttempts]);
      reply.code(error.kind.status).headers(error.headers ?? {});
      return send(deps, request, reply, { errors: toFormErrors(labels, error) });
    }
  });

  app.post(`${path}/stop`, { config, schema: { hide: true } }, async (request, reply) => {
    await stopCopy(deps, requireCaller(request), request.ip);
    return reply.redirect(done.path(path, 'stopped'), 303);
  });

  app.get(`${path}/file`, { config, schema: { hide: true } }, async (request, reply) => {
    const { file, madeAt } = await downloadCopy(deps, requireCaller(request), request.ip);
    return reply
      .type('application/pdf')
      .header('content-disposition', `attachment; filename="${fileNameOf(madeAt)}"`)
      .send(file);
  });
}

async function send(
  deps: WebPlatform,
  request: Request,
  reply: Reply,
  shown: { done?: string | undefined; errors?: FormErrors },
): Promise<Reply> {
  const caller = requireCaller(request);
  const organisation = await findOwnOrganisation(deps.db, caller);
  const copy = organisation && (await findCopyChoice(deps.db, organisation.id));
  const typed = request.method === 'POST' ? readFields(request.body, ['email']).email : undefined;
  return deps.pages.send(request, reply, 'delivery/templates/offline-copy.njk', {
    organisation,
    mayChoose: organisation !== undefined && seesAll(caller, organisation),
    copy: copy && { ...copy, sealedPassword: undefined },
    values: { email: typed ?? copy?.email ?? '' },
    ...shown,
  });
}
