import { Type } from 'typebox';
import { requireCaller } from '../accounts/index.ts';
import { type App, listOf, problemAnswers, withToken } from '../platform/http/index.ts';
import type { Platform } from '../platform/platform.ts';
import { listDeliveries } from './list-deliveries.ts';
import { presentDelivery } from './present-delivery.ts';
import { deliverySchema } from './schemas.ts';

export function deliveryRoutes(app: App, deps: Platform): void {
  app.get(
    '/api/referrals/:id/deliveries',
    {
      config: { access: withToken() },
      schema: {
        operationId: 'listDeliveries',
        tags: ['Referrals'],
        summary: 'Follow a referral’s deliveries',
        description:
          'Who was told of the referral, how, and whether it arrived: the service, so that it can act, and the GP practice, as the person agreed, when the referral is made and when it ends. Oldest first and all at once. How a delivery stands says nothing about how the referral stands; for that, read the referral.',
        params: Type.Object({
          id: Type.String({ maxLength: 100, description: 'The id of a referral.' }),
        }),
        response: {
          200: listOf(deliverySchema),
          ...problemAnswers({
            401: 'No token was sent, or it is not valid.',
            404: 'There is no such referral, or it is not yours to see.',
          }),
        },
      },
    },
    async (request) => {
      const found = await listDeliveries(deps, requireCaller(request), request.params.id, request.ip);
      return { items: found.map(presentDelivery), next_cursor: null };
    },
  );
}
