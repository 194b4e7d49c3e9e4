import { type TSchema, Type } from 'typebox';
import { requireCaller } from '../accounts/index.ts';
import { type App, problemAnswers, withToken } from '../platform/http/index.ts';
import { changeStatus } from './change-status.ts';
import type { ReferralDeps } from './deps.ts';
import { completeExample, rejectExample } from './examples.ts';
import { versionSeen } from './if-match.ts';
import { etagOf } from './present.ts';
import type { Outcome, StatusReason } from './referral.ts';
import { acceptSchema, completeSchema, rejectSchema } from './schemas.ts';
import { type Action, rules } from './state-machine.ts';

type ActionBody = { status_reason?: StatusReason; outcome?: Outcome };

type Description = { operationId: string; summary: string; description: string; body: TSchema };

const descriptions: Readonly<Record<Action, Description>> = {
  accept: {
    operationId: 'acceptReferral',
    summary: 'Accept a referral',
    description: 'The service takes the person on.',
    body: acceptSchema,
  },
  reject: {
    operationId: 'rejectReferral',
    summary: 'Reject a referral',
    description: 'The service cannot take the person on; the reason tells the referrer what to do instead.',
    body: { ...rejectSchema, examples: [rejectExample] },
  },
  complete: {
    operationId: 'completeReferral',
    summary: 'Complete a referral',
    description:
      'The service has done what it was asked; the outcome goes to the referrer and, as the person agreed, to their GP practice.',
    body: { ...completeSchema, examples: [completeExample] },
  },
};

const headers = Type.Object({
  'if-match': Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        'The ETag of the referral as you last read it. Without it the answer is 428, so that nobody answers what they have not seen.',
      examples: ['"1"'],
    }),
  ),
});

/** `POST /api/referrals/{id}/<action>`, one route an action. */
export function actionRoutes(app: App, deps: ReferralDeps): void {
  for (const [action, description] of Object.entries(descriptions) as [Action, Description][]) {
    app.post(
      `/api/referrals/:id/${action}`,
      {
        config: { access: withToken() },
        schema: {
          ...description,
          description: `${description.description} Possible when the referral is ${rules[action].from.join(' or ')}; for staff of the service.`,
          tags: ['Referrals'],
          params: Type.Object({ id: Type.String({ maxLength: 100, description: 'The id of a referral.' }) }),
          headers,
          response: {
            200: Type.Ref('Referral', { description: 'The referral as it is now.' }),
            ...problemAnswers({
              400: 'The body or If-Match does not have the right form.',
              401: 'No token was sent, or it is not valid.',
              403: 'This is for staff of the service.',
              404: 'There is no such referral, or it is not yours to see.',
              409: 'The referral is not in a state for that.',
              413: 'The body is larger than a megabyte.',
              415: 'The body is not sent as application/json.',
              412: 'The referral has changed since you read it.',
              428: 'If-Match is missing.',
            }),
          },
        },
      },
      async (request, reply) => {
        const { status_reason: reason, outcome } = request.body as ActionBody;
        const { id: referralId } = request.params as { id: string };
        const change = { referralId, version: versionSeen(request), address: request.ip, reason, outcome };
        const referral = await changeStatus(deps, requireCaller(request), action, change);
        return reply.header('etag', etagOf(referral.version)).send(referral);
      },
    );
  }
}
