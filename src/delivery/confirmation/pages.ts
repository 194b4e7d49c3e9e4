import { Type } from 'typebox';
import { type App, anyone, page } from '../../platform/http/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { notFound, Problem } from '../../platform/problem/index.ts';
import { confirmDelivery, readConfirmation } from './confirm-delivery.ts';

/**
 * The page that the link in an email leads to. Opening it confirms nothing, because programs that look for harmful links
 * open every one; a person presses the button.
 */
export function confirmationPages(app: App, deps: WebPlatform): void {
  const config = page(anyone, { countsAsCall: true });
  const params = Type.Object({ token: Type.String({ maxLength: 200 }) });
  app.get('/confirm/:token', { config, schema: { params } }, async (request, reply) => {
    const { token } = request.params;
    const found = await readConfirmation(deps, token);
    if (!found) throw new Problem(notFound);
    return deps.pages.send(request, reply, 'delivery/templates/confirm.njk', {
      ...found,
      token,
      confirmed: found.status === 'acknowledged',
    });
  });

  app.post('/confirm/:token', { config, schema: { params } }, async (request, reply) => {
    const { token } = request.params;
    await confirmDelivery(deps, token, request.ip);
    return reply.redirect(`/confirm/${encodeURIComponent(token)}`, 303);
  });
}
