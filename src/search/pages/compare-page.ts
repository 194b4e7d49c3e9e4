import {
  compareView,
  findServiceDocument,
  type ListedService,
  listOpenToReferrals,
  listSensitiveServices,
  locatePlace,
  referralPath,
} from '../../library/index.ts';
import { localTime } from '../../platform/clock/index.ts';
import type { App } from '../../platform/http/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { libraryPage } from '../query/library-page.ts';
import { findPath, readForm, wayBack } from './find-form.ts';

/** As many as fit beside each other on a sheet of paper. */
export const maxCompared = 4;

/** Services side by side. Open to everyone if the library is public. */
export function comparePage(app: App, deps: WebPlatform): void {
  const config = libraryPage(deps.settings);
  app.get('/services/compare', { config, schema: { hide: true } }, async (request, reply) => {
    const query = request.query as Record<string, unknown>;
    const form = readForm(query);
    const given = readIds(query.id);
    const ids = given.slice(0, maxCompared);
    const place = await locatePlace(deps.db, form.postcode);
    const documents = await Promise.all(ids.map((id) => findServiceDocument(deps.db, id, place)));
    const services = documents.flatMap((document) =>
      document === undefined ? [] : [JSON.parse(document) as ListedService],
    );
    if (services.length === 0) return reply.redirect(findPath(form), 303);
    const [open, sensitive] = await Promise.all([
      listOpenToReferrals(deps.db, services, deps.settings.mode),
      listSensitiveServices(deps.db),
    ]);
    const viewpoint = { now: localTime(deps.clock.now()), place };
    const withoutService = (id: string) =>
      comparePath(
        services.map((each) => each.id).filter((each) => each !== id),
        form.postcode,
      );
    return deps.pages.send(request, reply, 'search/templates/compare.njk', {
      services: services.map((service) => ({
        ...compareView(service, viewpoint),
        referralPath: referralPath(service.id, { postcode: form.postcode }),
        open: open.has(service.id),
        isSensitive: sensitive.includes(service.id),
        removePath: services.length > 1 ? withoutService(service.id) : undefined,
      })),
      searched: place,
      tooMany: given.length > maxCompared,
      backPath: wayBack(request.headers.referer, form),
      now: deps.clock.now(),
    });
  });
}

function comparePath(ids: readonly string[], postcode: string): string {
  const query = new URLSearchParams(ids.map((id): [string, string] => ['id', id]));
  if (postcode !== '') query.append('postcode', postcode);
  return `/services/compare?${query}`;
}

/** The ids of the ticked services, each once, in the order of the results. */
function readIds(value: unknown): string[] {
  const ids = [value].flat().filter((each) => typeof each === 'string');
  return [...new Set(ids)].filter((each) => each !== '' && each.length <= 100);
}
