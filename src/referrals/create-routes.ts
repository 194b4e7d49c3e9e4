import { Type } from 'typebox';
import { requireCaller } from '../accounts/index.ts';
import { type App, compileValidator, problemAnswers, withToken } from '../platform/http/index.ts';
import type { ReferralDeps } from './deps.ts';
import { newReferralExample, rerouteExample } from './examples.ts';
import { newDraftSchema, newReferralSchema, rerouteSchema } from './new-referral-schema.ts';
import { type Reroute, rerouteReferral } from './reroute-referral.ts';
import { badBody, idempotencyHeaders, idParams, notYours, sendNewReferral, tags } from './route-parts.ts';
import { submitReferral } from './submit-referral.ts';

const made = Type.Ref('Referral', {
  description: 'The referral was made. `Location` has its address and `ETag` its version.',
});
const refusals = {
  ...badBody,
  403: 'The account is not a referrer’s.',
  409: 'The person has an open referral to this service, or the same request is still being worked on.',
  422: 'The service, the practice, the NHS number or the consent does not allow it, or the idempotency key was used for another body.',
};

/** A draft is held against what a draft needs: nothing but the right form of what is there. */
const draftsToo: typeof compileValidator = (part) => {
  const check = compileValidator(part);
  if (part.httpPart !== 'body') return check;
  const checkDraft = compileValidator({ ...part, schema: newDraftSchema });
  return (body) =>
    (body as { status?: unknown } | null)?.status === 'draft' ? checkDraft(body) : check(body);
};

export function createRoutes(app: App, deps: ReferralDeps): void {
  app.post(
    '/api/referrals',
    {
      config: { access: withToken('referrer') },
      validatorCompiler: draftsToo,
      schema: {
        operationId: 'createReferral',
        tags,
        summary: 'Make a referral, or a draft of one',
        description:
          'Refers a person to a service of the library. When this answers 201 the referral is stored and will be delivered to the service and, as the person agreed, to their GP practice. Follow it with `GET /api/referrals/{id}`. With `"status": "draft"` it is kept for your organisation alone, delivered to nobody, and only what is known has to be there.',
        headers: idempotencyHeaders,
        body: { ...newReferralSchema, examples: [newReferralExample] } as typeof newReferralSchema,
        response: { 201: made, ...problemAnswers(refusals) },
      },
    },
    async (request, reply) => {
      const idempotencyKey = request.headers['idempotency-key'];
      const submission = { input: request.body, address: request.ip, idempotencyKey };
      return sendNewReferral(reply, deps, await submitReferral(deps, requireCaller(request), submission));
    },
  );

  app.post(
    '/api/referrals/:id/reroute',
    {
      config: { access: withToken('referrer') },
      schema: {
        operationId: 'rerouteReferral',
        tags,
        summary: 'Refer the person to another service instead',
        description:
          'Makes a new referral with the same person and reasons, linked to this one (`reroutes`, `rerouted_to`), which was rejected, failed or cancelled. Ask the person anew: they agreed to another service. To change more than the service, make a referral with `reroutes` instead.',
        params: idParams,
        headers: idempotencyHeaders,
        body: { ...rerouteSchema, examples: [rerouteExample] } as typeof rerouteSchema,
        response: {
          201: made,
          ...problemAnswers({
            ...refusals,
            403: 'The account is not one of the referrer’s organisation.',
            404: notYours,
            409: `${refusals[409]} Or the referral is not rejected, failed or cancelled.`,
          }),
        },
      },
    },
    async (request, reply) => {
      const submission = {
        id: request.params.id,
        reroute: request.body as Reroute,
        address: request.ip,
        idempotencyKey: request.headers['idempotency-key'],
      };
      return sendNewReferral(reply, deps, await rerouteReferral(deps, requireCaller(request), submission));
    },
  );
}
