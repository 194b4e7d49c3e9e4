import { Type } from 'typebox';
import { requireCaller } from '../../accounts/index.ts';
import { type App, problemAnswers, withToken } from '../../platform/http/index.ts';
import { sendNewReferral } from '../model/presentation/http.ts';
import { newReferralExample } from '../model/schemas/examples.ts';
import { compileReferralOrDraft, newDraftSchema, newReferralSchema } from '../model/schemas/new-referral.ts';
import { badBody, idempotencyHeaders, notYours, tags } from '../model/schemas/route-parts.ts';
import { requireRiskActedOn } from './checks/require-risk-acted-on.ts';
import type { SubmitDeps } from './submit-referral.ts';

export const createdReferral = Type.Ref('Referral', {
  description: 'The referral was made. `Location` has its address and `ETag` its version.',
});
export const submitRefusals = {
  ...badBody,
  403: 'The account is not a referrer’s.',
  404: notYours,
  409: 'Your organisation has an open referral of the person to this service; the NHS number is known with another name or date of birth (`person-mismatch`); your organisation was told that the person has died (`death-reported`); or the same request is still being worked on.',
  422: 'The service, the practice, the NHS number or the consent does not allow it (`cannot-refer`); nothing was done yet about a risk (`risk-not-acted-on`); the person is outside the ages or the area of the service (`does-not-fit`); you refer yourself (`refers-themselves`); or the idempotency key was used for another body (`idempotency-key-reused`).',
};

export function submitRoute(app: App, deps: SubmitDeps): void {
  app.post(
    '/api/referrals',
    {
      config: { access: withToken('referrer'), scope: 'referrals:write' },
      validatorCompiler: compileReferralOrDraft,
      // Before the schema is checked, so that a misspelled field does not hide whom to call.
      preValidation: async ({ body }) => requireRiskActedOn(deps, body, deps.clock.now()),
      schema: {
        operationId: 'createReferral',
        tags,
        summary: 'Make a referral, or a draft of one',
        description:
          'Refers a person to a service of the library. When this answers 201 the referral is stored and will be delivered to the service and, as the person agreed, to their GP practice. Follow it with `GET /api/referrals/{id}`. With `"status": "draft"` it is kept for your organisation alone, delivered to nobody, and only what is known has to be there. A repeated call, with the `Idempotency-Key` of an earlier one, has two more refusals: 404 if your account may no longer see that referral, and 409 `referral-restricted` or `referral-erased` if nobody may use it.',
        headers: idempotencyHeaders,
        body: {
          title: 'ReferralOrDraft',
          oneOf: [newReferralSchema, newDraftSchema],
          examples: [newReferralExample],
        } as unknown as typeof newReferralSchema,
        response: { 201: createdReferral, ...problemAnswers(submitRefusals) },
      },
    },
    async (request, reply) => {
      const result = await deps.referralIntake.submit({
        caller: requireCaller(request),
        input: request.body,
        ipAddress: request.ip,
        idempotencyKey: request.headers['idempotency-key'],
      });
      return sendNewReferral(reply, deps, result);
    },
  );
}
