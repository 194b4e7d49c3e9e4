import { Type } from 'typebox';
import { requireCaller } from '../accounts/index.ts';
import { type App, problemAnswers, withToken } from '../platform/http/index.ts';
import { changeDraft } from './change-draft.ts';
import type { ReferralDeps } from './deps.ts';
import { draftExample } from './examples.ts';
import { versionSeen } from './if-match.ts';
import { allowDuplicate, type DraftInput, draftSchema } from './new-referral-schema.ts';
import { requestDraft } from './request-draft.ts';
import {
  badBody,
  idParams,
  ifMatchHeaders,
  notYours,
  sendReferral,
  staleVersion,
  tags,
  theReferral,
} from './route-parts.ts';

const refusals = {
  ...badBody,
  ...staleVersion,
  403: 'The account is not one of the referrer’s organisation.',
  404: notYours,
};

/** A draft is made by `POST /api/referrals`; here it is changed, and sent. */
export function draftRoutes(app: App, deps: ReferralDeps): void {
  app.put(
    '/api/referrals/:id',
    {
      config: { access: withToken('referrer') },
      schema: {
        operationId: 'changeDraft',
        tags,
        summary: 'Change a draft',
        description:
          'Puts what is known now in the place of the whole draft. A referral that was sent cannot be changed: cancel it or withdraw it, and make another.',
        params: idParams,
        headers: ifMatchHeaders,
        body: { ...draftSchema, examples: [draftExample] } as typeof draftSchema,
        response: {
          200: theReferral,
          ...problemAnswers({
            ...refusals,
            409: 'It is no draft any more.',
            422: 'The service or the practice is not known, or the NHS number is not one.',
          }),
        },
      },
    },
    async (request, reply) => {
      const seen = { referralId: request.params.id, version: versionSeen(request), address: request.ip };
      const input = request.body as DraftInput;
      return sendReferral(reply, await changeDraft(deps, requireCaller(request), { ...seen, input }));
    },
  );

  app.post(
    '/api/referrals/:id/request',
    {
      config: { access: withToken('referrer') },
      schema: {
        operationId: 'requestReferral',
        tags,
        summary: 'Send a draft',
        description:
          'Makes the draft a referral like any other: it is delivered to the service and, as the person agreed, to their GP practice. What is still missing is named, all of it at once.',
        params: idParams,
        headers: ifMatchHeaders,
        body: Type.Object({ allow_duplicate: allowDuplicate }, { additionalProperties: false }),
        response: {
          200: theReferral,
          ...problemAnswers({
            ...refusals,
            409: 'It is no draft any more, or the person has an open referral to this service.',
            422: 'Something is missing, or does not allow it.',
          }),
        },
      },
    },
    async (request, reply) => {
      const seen = { referralId: request.params.id, version: versionSeen(request), address: request.ip };
      const draft = { ...seen, allowDuplicate: request.body.allow_duplicate };
      return sendReferral(reply, await requestDraft(deps, requireCaller(request), draft));
    },
  );
}
