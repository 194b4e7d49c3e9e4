import { type App, admitted, page, visitor } from '../platform/http/index.ts';
import type { WebPlatform } from '../platform/platform.ts';

/** The first page: what this site is, and the ways on from here for whoever is looking. */
export function homePages(app: App, { pages, settings }: WebPlatform): void {
  app.get('/', { config: page(visitor), schema: { hide: true } }, (request, reply) => {
    const roles = admitted(request)?.roles ?? [];
    return pages.send(request, reply, 'home/templates/home.njk', {
      isReferrer: roles.includes('referrer'),
      isProvider: roles.includes('provider'),
      isOperator: roles.includes('operator'),
      libraryPublic: settings.libraryPublic,
    });
  });
}
