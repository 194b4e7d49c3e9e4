import { Type } from 'typebox';
import { requireCaller } from '../../accounts/index.ts';
import {
  type App,
  badBody,
  describePattern,
  listOf,
  listQuery,
  nameListParameter,
  noOtherFields,
  problemAnswers,
  splitNames,
} from '../../platform/http/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { eventsGoneAnswer } from '../events/list-events.ts';
import { callOutcomes } from '../model/attempts-store.ts';
import { config, params, tags, webhookRefusals } from './routes.ts';
import { attemptSchema, newSecretSchema, replayedSchema, replaySchema } from './schemas.ts';
import { replayEvents, sendTestEvent } from './test-and-replay.ts';
import { listOwnAttempts, rotateSecret } from './webhook-actions.ts';

/** Routes for one webhook: a new secret, a test, its attempts and a replay. */
export function webhookActionRoutes(app: App, deps: Platform): void {
  secretRoute(app, deps);
  testRoute(app, deps);
  attemptsRoute(app, deps);
  replayRoute(app, deps);
}

function secretRoute(app: App, deps: Platform): void {
  const schema = {
    operationId: 'rotateWebhookSecret',
    tags,
    summary: 'Make a new secret',
    description:
      'Gives a webhook a new secret. For 24 hours every call has two signatures, one by each secret, so that your system can change over in its own time.',
    params,
    response: { 200: newSecretSchema, ...problemAnswers(webhookRefusals) },
  };
  app.post('/api/webhooks/:id/rotate-secret', { config, schema }, async (request) => {
    const { id } = request.params;
    const { secret, previousSecretUntil } = await rotateSecret(deps, requireCaller(request), id, request.ip);
    return { secret, previous_secret_until: previousSecretUntil.toISOString() };
  });
}

function testRoute(app: App, deps: Platform): void {
  const schema = {
    operationId: 'testWebhook',
    tags,
    summary: 'Send a test event',
    description:
      'Sends it one event of the type webhook.test, even if it is off, and once only. The result is in its attempts a moment later.',
    params,
    response: {
      202: Type.Ref('Event', { description: 'The event that is being sent.' }),
      ...problemAnswers(webhookRefusals),
    },
  };
  app.post('/api/webhooks/:id/test', { config, schema }, async (request, reply) => {
    const event = await sendTestEvent(deps, requireCaller(request), request.params.id);
    return reply.code(202).send(event);
  });
}

function attemptsRoute(app: App, deps: Platform): void {
  const schema = {
    operationId: 'listWebhookAttempts',
    tags,
    summary: 'List the attempts of a webhook',
    description: 'Every attempt of the last 30 days, newest first, with its event, time and result.',
    params,
    querystring: Type.Object(
      {
        limit: listQuery.limit,
        outcome: nameListParameter(callOutcomes, 'Only attempts with these outcomes'),
        cursor: Type.Optional(
          Type.String({
            pattern: describePattern('^[0-9]{1,15}$', 'must be the next_cursor of an earlier answer'),
            description: 'The next_cursor of the last answer.',
          }),
        ),
      },
      noOtherFields,
    ),
    response: {
      200: listOf(attemptSchema),
      ...problemAnswers({ ...webhookRefusals, 400: 'A parameter is not known or not of the right form.' }),
    },
  };
  app.get('/api/webhooks/:id/attempts', { config, schema }, async (request) => {
    const { limit = 50, cursor, outcome } = request.query;
    const before = cursor === undefined ? undefined : Number(cursor);
    const page = { before, outcomes: splitNames(outcome), limit };
    const { attempts, hasMore } = await listOwnAttempts(
      deps,
      requireCaller(request),
      request.params.id,
      page,
    );
    const items = attempts.map(({ eventId, type, at, outcome, status, detail }) => ({
      event: { id: eventId, type },
      at: at.toISOString(),
      outcome,
      status,
      detail,
    }));
    return { items, next_cursor: hasMore ? String(attempts.at(-1)!.number) : null };
  });
}

function replayRoute(app: App, deps: Platform): void {
  const schema = {
    operationId: 'replayWebhook',
    tags,
    summary: 'Send events again',
    description:
      'Sends a webhook events of the last 30 days once more: all that it has missed, all of its types after one that you name, or a single one. They keep their ids. One call sends at most 10,000. Use `missed` to catch up: events may arrive out of order, so you may have missed some that happened before the last one that you have.',
    params,
    body: replaySchema,
    response: {
      202: replayedSchema,
      ...problemAnswers({ ...badBody, ...webhookRefusals, 410: eventsGoneAnswer }),
    },
  };
  app.post('/api/webhooks/:id/replay', { config, schema }, async (request, reply) => {
    const result = await replayEvents(deps, requireCaller(request), request.params.id, request.body);
    return reply.code(202).send(result);
  });
}
