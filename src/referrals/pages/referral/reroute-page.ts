import { Type } from 'typebox';
import { requireCaller } from '../../../accounts/index.ts';
import { type App, page, signedIn } from '../../../platform/http/index.ts';
import type { WebPlatform } from '../../../platform/platform.ts';
import { type LibrarySearch, readListRequest, searchServices } from '../../../search/index.ts';
import type { ReferralDeps } from '../../model/deps.ts';
import { listServicesInRerouteChain } from '../../model/store.ts';
import { markResolved } from '../../progress/mark-resolved.ts';
import { readFullReferral } from './full-referral.ts';
import { referralDone, referralPath } from './referral-page.ts';
import { referralView } from './referral-view.ts';

type Deps = ReferralDeps & WebPlatform & { searchIndex: LibrarySearch };

const params = Type.Object({ id: Type.String({ maxLength: 100 }) });
const querystring = Type.Object({ search: Type.Optional(Type.String({ maxLength: 200 })) });
const maxFound = 10;

/** The button “helped another way” on the referral’s page. */
export function markResolvedPage(app: App, deps: ReferralDeps & WebPlatform): void {
  const config = page(signedIn('referrer'));
  app.get('/referrals/:id/seen-to', { config, schema: { hide: true, params } }, (request, reply) =>
    reply.redirect(referralPath(request.params.id), 303),
  );
  app.post('/referrals/:id/seen-to', { config, schema: { hide: true, params } }, async (request, reply) => {
    const { id } = request.params;
    await markResolved(deps, requireCaller(request), { referralId: id, ipAddress: request.ip });
    return reply.redirect(referralDone.path(referralPath(id), 'seen-to'), 303);
  });
}

/** Finds another service for the person of an unsuccessful referral. Its form is then filled in already. */
export function reroutePage(app: App, deps: Deps): void {
  const config = page(signedIn('referrer'));
  app.get(
    '/referrals/:id/reroute',
    { config, schema: { hide: true, params, querystring } },
    async (request, reply) => {
      const { id } = request.params;
      const view = referralView(
        deps.settings,
        await readFullReferral(deps, requireCaller(request), id, request.ip),
      );
      if (!view.canReroute) return reply.redirect(referralPath(id), 303);
      const { search = '' } = request.query;
      const services =
        search.trim() === ''
          ? undefined
          : await findServices(deps, search, await listServicesInRerouteChain(deps.db, view.referral.id));
      return deps.pages.send(request, reply, 'referrals/pages/templates/reroute.njk', {
        ...view,
        search,
        services,
      });
    },
  );
}

type FoundService = {
  id: string;
  name: string;
  description?: string | null;
  organization?: { name: string } | null;
};

/** Leaves out the services that could not help this person before. */
async function findServices(deps: Deps, search: string, tried: readonly string[]): Promise<FoundService[]> {
  const request = await readListRequest(deps, { search, per_page: maxFound + tried.length }, '/query');
  const { contents } = await searchServices(deps, request);
  return (contents as FoundService[]).filter(({ id }) => !tried.includes(id)).slice(0, maxFound);
}
