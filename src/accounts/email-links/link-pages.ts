import { Type } from 'typebox';
import { anonymousActor, recordRefusalOncePerMinute } from '../../audit/index.ts';
import { type FormErrors, fieldError, toFormErrors } from '../../platform/html/index.ts';
import { type App, page, type Reply, type Request, visitor } from '../../platform/http/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { Problem, unprocessable } from '../../platform/problem/index.ts';
import { linkEnded } from '../model/problems.ts';
import { hasSecondFactor } from '../model/second-factors-store.ts';
import { providerName } from '../model/sign-in-settings.ts';
import { setSessionCookie } from '../sign-in/session.ts';
import { signInBrowser } from '../sign-in/start-session.ts';
import { acceptInvitation } from './accept-invitation.ts';
import { findLinkHolder } from './links.ts';
import type { LinkPurpose } from './links-store.ts';
import { finishPasswordReset, requestPasswordReset } from './reset-password.ts';

/** The pages of links in emails: to accept an invitation, and to choose a new password. */
export function linkPages(app: App, deps: WebPlatform): void {
  invitationPage(app, deps);
  resetRequestPages(app, deps);
  resetPages(app, deps);
}

const config = page(visitor, { allowedWithoutSecondFactor: true });

function invitationPage(app: App, deps: WebPlatform): void {
  const form = linkForm(deps, 'invitation', 'accounts/email-links/templates/invitation.njk');
  app.get('/invitation/:secret', { config, schema: linkSchema }, (request, reply) =>
    form.show(request, reply, request.params.secret),
  );

  app.post(
    '/invitation/:secret',
    { config, schema: { ...linkSchema, body: passwordForm } },
    async (request, reply) => {
      const { secret } = request.params;
      return form.answer(request, reply, secret, async () => {
        const sessionSecret = await acceptInvitation(deps, {
          secret,
          password: request.body.password,
          browser: signInBrowser(request, deps.settings),
        });
        setSessionCookie(reply, deps.settings, sessionSecret);
        return reply.redirect('/', 303);
      });
    },
  );
}

const noAddress = fieldError('email', 'Enter an email address in the right format, like name@example.org');
const requestForm = Type.Object({ email: Type.String({ maxLength: 1000 }) });

/** The pages to ask for a link by email to choose a new password. */
function resetRequestPages(app: App, deps: WebPlatform): void {
  const { pages, settings } = deps;
  const template = 'accounts/email-links/templates/reset-request.njk';
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
    await requestPasswordReset(deps, { email, ipAddress: request.ip });
    return reply.redirect('/reset-password/sent', 303);
  });

  app.get('/reset-password/sent', { config }, (request, reply) =>
    pages.send(request, reply, 'accounts/email-links/templates/reset-sent.njk'),
  );
}

/** The pages on which the holder of a reset link chooses a new password. */
function resetPages(app: App, deps: WebPlatform): void {
  const form = linkForm(deps, 'reset', 'accounts/email-links/templates/reset-password.njk');
  app.get('/reset-password/:secret', { config, schema: linkSchema }, (request, reply) =>
    form.show(request, reply, request.params.secret),
  );

  app.post(
    '/reset-password/:secret',
    { config, schema: { ...linkSchema, body: passwordForm } },
    (request, reply) => {
      const { secret } = request.params;
      return form.answer(request, reply, secret, async () => {
        await finishPasswordReset(deps, { secret, password: request.body.password, ipAddress: request.ip });
        return reply.redirect('/reset-password/done', 303);
      });
    },
  );

  app.get('/reset-password/done', { config }, (request, reply) =>
    deps.pages.send(request, reply, 'accounts/email-links/templates/reset-done.njk'),
  );
}

const linkSchema = {
  params: Type.Object({ secret: Type.String({ maxLength: 200 }) }),
} as const;
const passwordForm = Type.Object({ password: Type.String({ maxLength: 1000 }) });

/** The page that a link opens: a form for a password, or a note that the link has ended. */
function linkForm(deps: WebPlatform, purpose: LinkPurpose, template: string) {
  const show = async (
    request: Request,
    reply: Reply,
    secret: string,
    errors?: FormErrors,
  ): Promise<Reply> => {
    hideAddressFromReferer(reply);
    const holder = await findLinkHolder(deps, purpose, secret);
    if (!holder) return sendEnded(deps, request, reply, purpose);
    if (errors) reply.code(unprocessable.status);
    return deps.pages.send(request, reply, template, {
      holder,
      errors,
      // For the form that accepts an invitation with the outside provider (oidc/oidc-pages.ts).
      secret,
      provider: providerName(deps.settings),
      hasSecondFactor: await hasSecondFactor(deps.db, holder.id),
    });
  };
  return {
    show,
    /** Does what the form asks for, or shows the form again with what is wrong. */
    async answer(request: Request, reply: Reply, secret: string, act: () => Promise<Reply>): Promise<Reply> {
      hideAddressFromReferer(reply);
      try {
        return await act();
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        if (error.kind === linkEnded) return sendEnded(deps, request, reply, purpose);
        if (error.kind !== unprocessable) throw error;
        return show(request, reply, secret, toFormErrors({ password: 'The password' }, error));
      }
    },
  };
}

/** The same page for a link that was used, expired, was replaced or never existed, so that guesses tell nothing. */
async function sendEnded(
  deps: WebPlatform,
  request: Request,
  reply: Reply,
  purpose: LinkPurpose,
): Promise<Reply> {
  const actor = anonymousActor(request.ip);
  await recordRefusalOncePerMinute(deps, { actor, action: 'link.opened', details: { purpose } });
  return deps.pages.send(
    request,
    reply.code(linkEnded.status),
    'accounts/email-links/templates/link-ended.njk',
    {
      purpose,
    },
  );
}

/**
 * The address is a key, so it must not be sent on as a Referer. `no-referrer` would do that too, but then browsers send
 * `Origin: null` with the form. If they leave out `Sec-Fetch-Site` as well (Safari before 16.4, plain http), the form
 * would be refused as another site's.
 */
function hideAddressFromReferer(reply: Reply): void {
  reply.header('referrer-policy', 'strict-origin');
}
