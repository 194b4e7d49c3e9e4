import { Type } from 'typebox';
import { requireCaller } from '../accounts/index.ts';
import { type App, listOf, problemAnswers, withToken } from '../platform/http/index.ts';
import { actionRoutes } from './action-routes.ts';
import type { ReferralDeps } from './deps.ts';
import { newReferralExample } from './examples.ts';
import { listOwnReferrals } from './list-referrals.ts';
import { etagOf } from './present.ts';
import { readReferral } from './read-referral.ts';
import { referralStatuses } from './referral.ts';
import { historySchema, newReferralSchema, referralSchema } from './schemas.ts';
import { submitReferral } from './submit-referral.ts';

const tags = ['Referrals'];
const noToken = 'No token was sent, or it is not valid.';
const statusWords = referralStatuses.join('|');
const idParams = Type.Object({ id: Type.String({ maxLength: 100, description: 'The id of a referral.' }) });

export function referralRoutes(app: App, deps: ReferralDeps): void {
  app.addSchema(referralSchema);
  createRoute(app, deps);
  listRoute(app, deps);
  readRoutes(app, deps);
  actionRoutes(app, deps);
}

function createRoute(app: App, deps: ReferralDeps): void {
  const headers = Type.Object({
    'idempotency-key': Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        pattern: '^[\\x21-\\x7e]+$',
        description:
          'A new random text for every referral, such as a UUID. Sent again with the same body it gives the same answer, so a request whose answer was lost can be repeated.',
      }),
    ),
  });
  app.post(
    '/api/referrals',
    {
      config: { access: withToken('referrer') },
      schema: {
        operationId: 'createReferral',
        tags,
        summary: 'Make a referral',
        description:
          'Refers a person to a service of the library. When this answers 201 the referral is stored and will be delivered to the service and, as the person agreed, to their GP practice. Follow it with `GET /api/referrals/{id}`.',
        headers,
        body: { ...newReferralSchema, examples: [newReferralExample] } as typeof newReferralSchema,
        response: {
          201: Type.Ref('Referral', {
            description: 'The referral was made. `Location` has its address and `ETag` its version.',
          }),
          ...problemAnswers({
            400: 'The body does not have the right form.',
            401: noToken,
            403: 'The account is not a referrer’s.',
            413: 'The body is larger than a megabyte.',
            415: 'The body is not sent as application/json.',
            409: 'The person has an open referral to this service, or the same request is still being worked on.',
            422: 'The service, the practice, the NHS number or the consent does not allow it, or the idempotency key was used for another body.',
          }),
        },
      },
    },
    async (request, reply) => {
      const idempotencyKey = request.headers['idempotency-key'];
      const submission = { input: request.body, address: request.ip, idempotencyKey };
      const referral = await submitReferral(deps, requireCaller(request), submission);
      const location = `${deps.settings.baseUrl}/api/referrals/${referral.id}`;
      return reply
        .code(201)
        .headers({ location, etag: etagOf(referral.version) })
        .send(referral as never);
    },
  );
}

function listRoute(app: App, deps: ReferralDeps): void {
  const querystring = Type.Object(
    {
      direction: Type.Optional(
        Type.Enum(['made', 'received'], {
          description: 'Those you made, or those to your services; both when left out.',
        }),
      ),
      status: Type.Optional(
        Type.String({
          maxLength: 200,
          pattern: `^(${statusWords})(,(${statusWords}))*$`,
          description: `One status, or several separated by commas: ${statusWords.replaceAll('|', ', ')}.`,
        }),
      ),
      service_id: Type.Optional(Type.String({ maxLength: 200 })),
      updated_after: Type.Optional(
        Type.String({
          format: 'date-time',
          description:
            'Only what changed after this moment. When you ask again and again, go back a minute each time: a change is dated before it can be seen.',
        }),
      ),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 200, description: 'At most so many; 50 when left out.' }),
      ),
      cursor: Type.Optional(
        Type.String({ maxLength: 100, description: 'The next_cursor of the last answer.' }),
      ),
    },
    { additionalProperties: false },
  );
  app.get(
    '/api/referrals',
    {
      config: { access: withToken() },
      schema: {
        operationId: 'listReferrals',
        tags,
        summary: 'List referrals',
        description:
          'The referrals of your organisation, newest first: those it made, and those to its services. An operator gets all of them, without what is personal or clinical.',
        querystring,
        response: {
          200: listOf(Type.Ref('Referral')),
          ...problemAnswers({ 400: 'A parameter is not known or not of the right form.', 401: noToken }),
        },
      },
    },
    async (request) => {
      const { direction, status, service_id: serviceId, updated_after, limit = 50, cursor } = request.query;
      const updatedAfter = updated_after === undefined ? undefined : new Date(updated_after);
      const filter = {
        direction: direction as 'made' | 'received' | undefined,
        statuses: status?.split(','),
        serviceId,
        updatedAfter,
      };
      return (await listOwnReferrals(deps, requireCaller(request), {
        ...filter,
        cursor,
        limit,
        address: request.ip,
      })) as never;
    },
  );
}

function readRoutes(app: App, deps: ReferralDeps): void {
  const refusals = problemAnswers({
    401: noToken,
    404: 'There is no such referral, or it is not yours to see.',
  });
  app.get(
    '/api/referrals/:id',
    {
      config: { access: withToken() },
      schema: {
        operationId: 'getReferral',
        tags,
        summary: 'Read a referral',
        description:
          'One referral as it is now, with what has become of its deliveries. Its `ETag` is what the actions want as `If-Match`.',
        params: idParams,
        response: { 200: Type.Ref('Referral'), ...refusals },
      },
    },
    async (request, reply) => {
      const { referral } = await readReferral(deps, requireCaller(request), request.params.id, request.ip);
      return reply.header('etag', etagOf(referral.version)).send(referral as never);
    },
  );

  app.get(
    '/api/referrals/:id/history',
    {
      config: { access: withToken() },
      schema: {
        operationId: 'getReferralHistory',
        tags,
        summary: 'Read a referral’s history',
        description:
          'Every change of state: when, by whom, from what to what, and why. Nothing in it is ever changed.',
        params: idParams,
        response: { 200: listOf(historySchema), ...refusals },
      },
    },
    async (request) => {
      const { history } = await readReferral(deps, requireCaller(request), request.params.id, request.ip);
      const items = history.map(({ version, at, actorName, actorOrganisation, from, to, reason }) => ({
        version,
        at: at.toISOString(),
        by: { name: actorName, organisation: actorOrganisation },
        from,
        to,
        reason,
      }));
      return { items, next_cursor: null };
    },
  );
}
