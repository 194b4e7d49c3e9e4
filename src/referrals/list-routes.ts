import { Type } from 'typebox';
import { requireCaller } from '../accounts/index.ts';
import { momentOf } from '../platform/clock/index.ts';
import {
  type App,
  listOf,
  oneOrSeveral,
  pageQuery,
  problemAnswers,
  severalOf,
  withToken,
} from '../platform/http/index.ts';
import { badRequest, Problem } from '../platform/problem/index.ts';
import type { ReferralDeps } from './deps.ts';
import { searchExample } from './examples.ts';
import { listOwnReferrals } from './list-referrals.ts';
import { referralStatuses } from './referral.ts';
import { badBody, noToken, tags } from './route-parts.ts';
import { searchReferrals } from './search-referrals.ts';
import { searchFields } from './search-schema.ts';

const serviceId = Type.String({ maxLength: 200, description: 'The id of a service.' });

const querystring = Type.Object(
  {
    direction: Type.Optional(
      Type.Enum(['made', 'received'], {
        description: 'Those you made, or those to your services; both when left out.',
      }),
    ),
    status: oneOrSeveral(referralStatuses, 'One status or several'),
    service_id: Type.Optional(serviceId),
    service: Type.Optional({ ...serviceId, description: 'The same as service_id.' } as typeof serviceId),
    updated_after: Type.Optional(
      Type.String({
        maxLength: 40,
        description:
          'Only what changed after this moment: 2026-11-21T09:30:00Z, or 2026-11-21 for its beginning in UTC. When you ask again and again, go back a minute each time: a change is dated before it can be seen.',
      }),
    ),
    overdue: Type.Optional(
      Type.Boolean({ description: 'true: only those that the service should have answered by now.' }),
    ),
    ...pageQuery,
  },
  { additionalProperties: false },
);

const searchSchema = Type.Object(
  { ...searchFields, ...pageQuery },
  { additionalProperties: false, examples: [searchExample] },
);

export function listRoutes(app: App, deps: ReferralDeps): void {
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
      const { direction, status, service, updated_after, overdue, limit = 50, cursor } = request.query;
      return (await listOwnReferrals(deps, requireCaller(request), {
        direction: direction as 'made' | 'received' | undefined,
        statuses: severalOf(status),
        serviceId: request.query.service_id ?? service,
        updatedAfter: readUpdatedAfter(updated_after),
        overdue,
        cursor,
        limit,
        address: request.ip,
      })) as never;
    },
  );

  app.post(
    '/api/referrals/search',
    {
      config: { access: withToken() },
      schema: {
        operationId: 'searchReferrals',
        tags,
        summary: 'Find the referrals of a person',
        description:
          'Those of one person among the referrals that you may see, newest first: by NHS number, or by last name and date of birth, with the postcode as well if you like. It is a POST so that no detail of a person stands in an address or a log. Accents, capitals, spaces and hyphens of names make no difference.',
        body: searchSchema,
        response: { 200: listOf(Type.Ref('Referral')), ...problemAnswers(badBody) },
      },
    },
    async (request) => {
      const { limit = 50, cursor, ...search } = request.body;
      const page = { limit, cursor, address: request.ip };
      return (await searchReferrals(deps, requireCaller(request), search, page)) as never;
    },
  );
}

function readUpdatedAfter(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const moment = momentOf(text);
  if (moment) return moment;
  const message = 'must be a moment such as 2026-11-21T09:30:00Z, or a day such as 2026-11-21';
  const errors = [{ pointer: '/query/updated_after', message }];
  throw new Problem(badRequest, 'See `errors` for what to change, and where.', { errors });
}
