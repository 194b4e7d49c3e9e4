import { Type } from 'typebox';
import { requireCaller } from '../accounts/index.ts';
import { type App, problemAnswers, withToken } from '../platform/http/index.ts';
import type { ReferralDeps } from './deps.ts';
import { closed } from './new-referral-schema.ts';
import { badBody, idParams, notNow, notYours, sendReferral, tags, theReferral } from './route-parts.ts';
import { seeToReferral } from './see-to-referral.ts';

export function seenToRoute(app: App, deps: ReferralDeps): void {
  app.post(
    '/api/referrals/:id/seen-to',
    {
      config: { access: withToken('referrer') },
      schema: {
        operationId: 'seeToReferral',
        tags,
        summary: 'Say that you have helped the person another way',
        description:
          'For a referral that was rejected, failed or cancelled: it then no longer waits for your organisation, as it would until the person is referred again. `seen_to` says when and by whom. The service is not told, and the version stays. Said again, it changes nothing.',
        params: idParams,
        body: Type.Object({}, { ...closed, examples: [{}] }),
        response: {
          200: theReferral,
          ...problemAnswers({
            ...badBody,
            403: 'The account is not one of the referrer’s organisation.',
            404: notYours,
            409: `The referral is not rejected, failed or cancelled. ${notNow}`,
          }),
        },
      },
    },
    async (request, reply) => {
      const asked = { referralId: request.params.id, address: request.ip };
      return sendReferral(reply, await seeToReferral(deps, requireCaller(request), asked));
    },
  );
}
