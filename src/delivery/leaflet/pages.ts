import { Type } from 'typebox';
import { type Caller, requireCaller } from '../../accounts/index.ts';
import { type App, noToken, page, problemAnswers, signedIn, withToken } from '../../platform/http/index.ts';
import { type ReferralDeps, readLeaflet } from '../../referrals/index.ts';
import type { DeliveryDeps } from '../channels/deps.ts';

type Deps = DeliveryDeps & ReferralDeps;

const params = Type.Object({
  id: Type.String({ parameter: 'ReferralId', maxLength: 100, description: 'The id of a referral.' }),
});
const querystring = Type.Object({
  print: Type.Optional(
    Type.Enum(['normal', 'large'], {
      title: 'PrintSize',
      description: '`large` for large print, in letters of 18 points. `normal` when left out.',
    }),
  ),
});

type LeafletRequest = { referralId: string; print?: 'normal' | 'large' | undefined; ipAddress: string };

async function makeLeaflet(deps: Deps, caller: Caller, { print, ...target }: LeafletRequest) {
  const leaflet = await readLeaflet(deps, caller, target);
  const printed = { ...leaflet, largePrint: print === 'large' };
  return {
    file: await deps.letterDrawer.drawLeaflet(printed, caller.accountId),
    // The name may be seen by others on a shared computer.
    disposition: `inline; filename="leaflet${print === 'large' ? '-large-print' : ''}.pdf"`,
  };
}

/** The leaflet for the person, from the page of their referral. */
export function leafletPages(app: App, deps: Deps): void {
  app.get(
    '/referrals/:id/leaflet.pdf',
    { config: page(signedIn()), schema: { hide: true, params, querystring } },
    async (request, reply) => {
      const wanted = { referralId: request.params.id, print: request.query.print, ipAddress: request.ip };
      const { file, disposition } = await makeLeaflet(deps, requireCaller(request), wanted);
      return reply.type('application/pdf').header('content-disposition', disposition).send(file);
    },
  );
}

export function leafletRoute(app: App, deps: Deps): void {
  const schema = {
    operationId: 'getLeaflet',
    tags: ['Referrals'],
    summary: 'Get a leaflet for the person, as PDF',
    description:
      'For either side, to hand to the person: the service with its address and times, how far the referral is, what happens next, and whom to ring. It does not name the person. It names no sensitive service, and no address that is kept secret. Where the referral says that contact is not safe or somebody must not know, or tells of a risk, abuse at home or a crisis, it names neither the service nor who referred: ask the person alone whether it is safe to take home. While the person has a page of their own, a QR code leads to it.',
    params,
    querystring,
    response: {
      200: {
        description: 'The leaflet.',
        content: { 'application/pdf': { schema: Type.Any() } },
      },
      ...problemAnswers({
        400: 'The print size is not one that there is.',
        401: noToken,
        403: 'This is for the two sides of the referral. Or the service is hidden from you: open the referral with a reason first.',
        404: 'There is no such referral, or you may not see it.',
        409: 'It is a draft, was sent by mistake, is restricted, or was erased.',
      }),
    },
  };
  app.get(
    '/api/referrals/:id/leaflet.pdf',
    { config: { access: withToken(), scope: 'referrals:read' }, schema },
    async (request, reply) => {
      const { print } = request.query as { print?: 'normal' | 'large' };
      const wanted = { referralId: request.params.id, print, ipAddress: request.ip };
      const { file, disposition } = await makeLeaflet(deps, requireCaller(request), wanted);
      return reply.type('application/pdf').header('content-disposition', disposition).send(file);
    },
  );
}
