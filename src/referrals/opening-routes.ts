import { Type } from 'typebox';
import { requireCaller } from '../accounts/index.ts';
import { type App, listOf, pageQuery, problemAnswers, withToken } from '../platform/http/index.ts';
import type { ReferralDeps } from './deps.ts';
import { openingExample } from './examples.ts';
import { listReferralOpenings } from './list-parts.ts';
import { closed, long } from './new-referral-schema.ts';
import { openReferral } from './open-referral.ts';
import { presentOpening } from './present-parts.ts';
import {
  badBody,
  idParams,
  noToken,
  notNow,
  notYours,
  sendReferral,
  tags,
  theReferral,
} from './route-parts.ts';
import { openingSchema } from './schemas.ts';

/** The body, for the page's form too. */
export const newOpeningSchema = Type.Object(
  { reason: long('Why it has to be looked at. The referrer’s organisation reads it.') },
  { ...closed, examples: [openingExample] },
);

export function openingRoutes(app: App, deps: ReferralDeps): void {
  app.post(
    '/api/referrals/:id/open',
    {
      config: { access: withToken('operator') },
      schema: {
        operationId: 'openReferral',
        tags,
        summary: 'Look at what is clinical, as an operator',
        description:
          'Shows an operator the whole referral, its messages and files for an hour. The reason is kept, and shown to the organisation that made the referral.',
        params: idParams,
        body: newOpeningSchema,
        response: {
          200: theReferral,
          ...problemAnswers({
            ...badBody,
            403: 'The account is not an operator’s.',
            404: notYours,
            409: notNow,
          }),
        },
      },
    },
    async (request, reply) => {
      const opening = { referralId: request.params.id, reason: request.body.reason, address: request.ip };
      return sendReferral(reply, await openReferral(deps, requireCaller(request), opening));
    },
  );

  app.get(
    '/api/referrals/:id/openings',
    {
      config: { access: withToken() },
      schema: {
        operationId: 'listOpenings',
        tags,
        summary: 'See which operators looked inside',
        description:
          'Every time that an operator of the site opened the referral: who, when, until when and why, newest first. For the referrer’s organisation, and for operators.',
        params: idParams,
        querystring: Type.Object(pageQuery, closed),
        response: {
          200: listOf(openingSchema),
          ...problemAnswers({
            400: 'A parameter is not known or not of the right form.',
            401: noToken,
            403: 'This is for the referrer’s organisation.',
            404: notYours,
          }),
        },
      },
    },
    async (request) => {
      const { limit = 50, cursor } = request.query;
      const asked = { referralId: request.params.id, address: request.ip, limit, cursor };
      const { items, next_cursor } = await listReferralOpenings(deps, requireCaller(request), asked);
      return { items: items.map(presentOpening), next_cursor };
    },
  );
}
