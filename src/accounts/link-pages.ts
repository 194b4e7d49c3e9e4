import { type App, page, visitor } from '../platform/http/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import { acceptInvitation } from './accept-invitation.ts';
import { linkForm, linkSchema, passwordForm } from './link-form.ts';
import { resetPages } from './reset-pages.ts';
import { setSessionCookie } from './session.ts';
import { signInBrowser } from './sign-in-browser.ts';

/** What the links in emails open: an invitation, and a new password in place of a forgotten one. */
export function linkPages(app: App, deps: WebPlatform): void {
  invitationPage(app, deps);
  resetPages(app, deps);
}

function invitationPage(app: App, deps: WebPlatform): void {
  const config = page(visitor);
  const form = linkForm(deps, 'invitation', 'accounts/templates/invitation.njk');
  app.get('/invitation/:secret', { config, schema: linkSchema }, (request, reply) =>
    form.show(request, reply, request.params.secret),
  );

  app.post(
    '/invitation/:secret',
    { config, schema: { ...linkSchema, body: passwordForm } },
    async (request, reply) => {
      const { secret } = request.params;
      return form.answer(request, reply, secret, async () => {
        const session = await acceptInvitation(deps, {
          secret,
          password: request.body.password,
          browser: signInBrowser(request, deps.settings),
        });
        setSessionCookie(reply, deps.settings, session);
        return reply.redirect('/', 303);
      });
    },
  );
}
