import { Type } from 'typebox';
import { requireCaller } from '../accounts/index.ts';
import { listRequest, searchServices } from '../library/index.ts';
import { type App, page, signedIn } from '../platform/http/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import type { ReferralDeps } from './deps.ts';
import { readWholeReferral } from './read-whole.ts';
import { referralDone } from './referral-done.ts';
import { inWords } from './referral-in-words.ts';
import { seeToReferral } from './see-to-referral.ts';

type Deps = ReferralDeps & WebPlatform;

const params = Type.Object({ id: Type.String({ maxLength: 100 }) });
const querystring = Type.Object({ search: Type.Optional(Type.String({ maxLength: 200 })) });
const mostFound = 10;

/** By a button of the referral's page: nothing more is to be said. */
export function seenToPage(app: App, deps: Deps): void {
  const config = page(signedIn('referrer'));
  const address = (id: string) => `/referrals/${encodeURIComponent(id)}`;
  app.get('/referrals/:id/seen-to', { config, schema: { hide: true, params } }, (request, reply) =>
    reply.redirect(address(request.params.id), 303),
  );
  app.post('/referrals/:id/seen-to', { config, schema: { hide: true, params } }, async (request, reply) => {
    const { id } = request.params;
    await seeToReferral(deps, requireCaller(request), { referralId: id, address: request.ip });
    return reply.redirect(referralDone.path(address(id), 'seen-to'), 303);
  });
}

/** Finds another service for the person of a referral that came to nothing; the form is then filled in already. */
export function reroutePage(app: App, deps: Deps): void {
  const config = page(signedIn('referrer'));
  app.get(
    '/referrals/:id/reroute',
    { config, schema: { hide: true, params, querystring } },
    async (request, reply) => {
      const { id } = request.params;
      const whole = inWords(await readWholeReferral(deps, requireCaller(request), id, request.ip));
      if (!whole.mayReroute) return reply.redirect(`/referrals/${encodeURIComponent(id)}`, 303);
      const { search = '' } = request.query;
      const services = search.trim() === '' ? undefined : await findServices(deps, search);
      return deps.pages.send(request, reply, 'referrals/templates/reroute.njk', {
        ...whole,
        search,
        services,
      });
    },
  );
}

type Found = {
  id: string;
  name: string;
  description?: string | null;
  organization?: { name: string } | null;
};

async function findServices(deps: Deps, search: string): Promise<Found[]> {
  const request = await listRequest(deps, { search, per_page: mostFound }, '/query');
  const { contents } = await searchServices(deps.db, request);
  return JSON.parse(`[${contents}]`) as Found[];
}
