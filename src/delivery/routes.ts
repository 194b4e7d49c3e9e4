import { Type } from 'typebox';
import { requireCaller } from '../accounts/index.ts';
import {
  type App,
  listOf,
  listQuery,
  noOtherFields,
  noToken,
  pageOfWholeList,
  problemAnswers,
  withToken,
} from '../platform/http/index.ts';
import type { DeliveryDeps } from './channels/deps.ts';
import { listDeliveries } from './list-deliveries.ts';
import { deliverySchema, presentDelivery } from './model/schemas.ts';
import { readLetter } from './read-letter.ts';

export function deliveryRoutes(app: App, deps: DeliveryDeps): void {
  app.get(
    '/api/referrals/:id/deliveries',
    {
      config: { access: withToken(), scope: 'referrals:read' },
      schema: {
        operationId: 'listDeliveries',
        tags: ['Referrals'],
        summary: 'Follow a referral’s deliveries',
        description:
          'Who was told of the referral, how, and whether it arrived: the service, so that it can act, and the GP practice, as the person agreed, when the referral is made and when it ends. Oldest first. How a delivery stands says nothing about how the referral stands; for that, read the referral.',
        params: Type.Object({
          id: Type.String({ parameter: 'ReferralId', maxLength: 100, description: 'The id of a referral.' }),
        }),
        querystring: Type.Object(listQuery, noOtherFields),
        response: {
          200: listOf(deliverySchema),
          ...problemAnswers({
            400: 'A parameter is not known or not of the right form.',
            401: noToken,
            404: 'There is no such referral, or it is not yours to see.',
          }),
        },
      },
    },
    async (request) => {
      const deliveries = await listDeliveries(deps, requireCaller(request), request.params.id, request.ip);
      const { limit = 50, cursor } = request.query;
      const { items, next_cursor } = pageOfWholeList(deliveries, { limit, cursor });
      return { items: items.map(presentDelivery), next_cursor };
    },
  );
  letterRoute(app, deps);
}

function letterRoute(app: App, deps: DeliveryDeps): void {
  const schema = {
    operationId: 'getReferralLetter',
    tags: ['Referrals'],
    summary: 'Read a referral’s letter',
    description:
      'The letter to the service as a PDF, to print or file: what the referral says now. For both sides of the referral. The letter to the GP practice has no call of its own; a test site shows it at `/outbox`.',
    params: Type.Object({
      id: Type.String({ parameter: 'ReferralId', maxLength: 100, description: 'The id of a referral.' }),
    }),
    response: {
      200: {
        description: 'The letter.',
        content: { 'application/pdf': { schema: Type.Any() } },
      },
      ...problemAnswers({
        401: noToken,
        403: 'An operator has not opened the referral; or it names a sensitive service, and you have not opened the referral with a reason.',
        404: 'There is no such referral, or it is not yours to see.',
        409: 'The referral is restricted, or was erased.',
      }),
    },
  };
  app.get(
    '/api/referrals/:id/letter.pdf',
    { config: { access: withToken(), scope: 'referrals:read' }, schema },
    async (request, reply) => {
      const target = { referralId: request.params.id, ipAddress: request.ip };
      const { reference, letter } = await readLetter(deps, requireCaller(request), target);
      return reply
        .type('application/pdf')
        .header('content-disposition', `attachment; filename="letter-${reference}.pdf"`)
        .send(letter);
    },
  );
}
