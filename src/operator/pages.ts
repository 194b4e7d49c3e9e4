import { type App, page, signedIn } from '../platform/http/index.ts';
import type { WebPlatform } from '../platform/platform.ts';

/** Where an operator runs the site from. */
export function operatorPages(app: App, deps: WebPlatform): void {
  app.get('/operator', { config: page(signedIn('operator')), schema: { hide: true } }, (request, reply) =>
    deps.pages.send(request, reply, 'operator/templates/operator.njk'),
  );
}
