import { Type } from 'typebox';
import { fieldProblem } from '../platform/html/index.ts';
import { type App, page, visitor } from '../platform/http/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import { unprocessable } from '../platform/problem/index.ts';
import { finishPasswordReset } from './finish-password-reset.ts';
import { linkForm, linkSchema, passwordForm } from './link-form.ts';
import { requestPasswordReset } from './request-password-reset.ts';

const config = page(visitor);
const noAddress = fieldProblem('email', 'Type an email address such as name@example.org');
const requestForm = Type.Object({ email: Type.String({ maxLength: 1000 }) });

/** Getting a new password by a link to one's email address. */
export function resetPages(app: App, deps: WebPlatform): void {
  requestPages(app, deps);
  finishPages(app, deps);
}

function requestPages(app: App, deps: WebPlatform): void {
  const { pages, settings } = deps;
  const template = 'accounts/templates/reset-request.njk';
  const sendsMail = settings.mode === 'test' || settings.smtpUrl !== undefined;
  app.get('/reset-password', { config }, (request, reply) =>
    pages.send(request, reply, template, { sendsMail }),
  );

  app.post('/reset-password', { config, schema: { body: requestForm } }, async (request, reply) => {
    const { email } = request.body;
    if (!email.includes('@')) {
      reply.code(unprocessable.status);
      return pages.send(request, reply, template, { sendsMail, email, errors: noAddress });
    }
    await requestPasswordReset(deps, { email, address: request.ip });
    return reply.redirect('/reset-password/sent', 303);
  });

  app.get('/reset-password/sent', { config }, (request, reply) =>
    pages.send(request, reply, 'accounts/templates/reset-sent.njk'),
  );
}

function finishPages(app: App, deps: WebPlatform): void {
  const form = linkForm(deps, 'reset', 'accounts/templates/reset-password.njk');
  app.get('/reset-password/:secret', { config, schema: linkSchema }, (request, reply) =>
    form.show(request, reply, request.params.secret),
  );

  app.post(
    '/reset-password/:secret',
    { config, schema: { ...linkSchema, body: passwordForm } },
    (request, reply) => {
      const { secret } = request.params;
      return form.answer(request, reply, secret, async () => {
        await finishPasswordReset(deps, { secret, password: request.body.password, address: request.ip });
        return reply.redirect('/reset-password/done', 303);
      });
    },
  );

  app.get('/reset-password/done', { config }, (request, reply) =>
    deps.pages.send(request, reply, 'accounts/templates/reset-done.njk'),
  );
}
