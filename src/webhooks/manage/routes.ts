import { Type } from 'typebox';
import { requireCaller } from '../../accounts/index.ts';
import {
  type App,
  badBody,
  listOf,
  listQuery,
  noOtherFields,
  noToken,
  pageOfWholeList,
  problemAnswers,
  withToken,
} from '../../platform/http/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { everyType, maxWebhooks } from '../model/webhook.ts';
import { listWebhooksOf } from '../model/webhooks-store.ts';
import {
  addedWebhookSchema,
  newWebhookSchema,
  presentWebhook,
  webhookChangeSchema,
  webhookSchema,
} from './schemas.ts';
import { addWebhook, changeWebhook, readOwnWebhook, removeWebhook } from './webhook-actions.ts';

export const tags = ['Webhooks'];
export const config = { access: withToken(), scope: 'webhooks' };
export const params = Type.Object({
  id: Type.String({ parameter: 'WebhookId', maxLength: 100, description: 'The id of a webhook.' }),
});

export const webhookRefusals = { 401: noToken, 404: 'There is no such webhook, or it is not yours.' };
const valueRefusals = { 422: 'The address or a type of event cannot be used; `errors` says why.' };

export function webhookRoutes(app: App, deps: Platform): void {
  app.addSchema(webhookSchema);
  addRoute(app, deps);
  readRoutes(app, deps);
  changeRoutes(app, deps);
}

function addRoute(app: App, deps: Platform): void {
  const schema = {
    operationId: 'addWebhook',
    tags,
    summary: 'Add a webhook',
    description:
      'From then on, the site calls your address when something happens that you may see. Each call is a POST with one event, signed with the secret in this answer by the rules of https://www.standardwebhooks.com/. An account may have ' +
      `${maxWebhooks} webhooks.`,
    body: newWebhookSchema,
    response: {
      201: addedWebhookSchema,
      ...problemAnswers({
        ...badBody,
        401: noToken,
        ...valueRefusals,
        409: 'The account has reached its limit of webhooks.',
      }),
    },
  };
  app.post('/api/webhooks', { config, schema }, async (request, reply) => {
    const { url, event_types: eventTypes = [everyType], description = null } = request.body;
    const input = { url, eventTypes, description };
    const { webhook, secret } = await addWebhook(deps, requireCaller(request), input, request.ip);
    const location = `${deps.settings.baseUrl}/api/webhooks/${webhook.id}`;
    return reply
      .code(201)
      .headers({ location })
      .send({ ...presentWebhook(webhook, deps.clock.now()), secret });
  });
}

function readRoutes(app: App, deps: Platform): void {
  const list = {
    operationId: 'listWebhooks',
    tags,
    summary: 'List your webhooks',
    description: 'Your account’s webhooks, oldest first, without their secrets.',
    querystring: Type.Object(listQuery, noOtherFields),
    response: {
      200: listOf(Type.Ref('Webhook')),
      ...problemAnswers({ 401: noToken, 400: 'A parameter is not known or not of the right form.' }),
    },
  };
  app.get('/api/webhooks', { config, schema: list }, async (request) => {
    const { limit = 50, cursor } = request.query;
    const webhooks = await listWebhooksOf(deps.db, requireCaller(request).accountId);
    const { items, next_cursor } = pageOfWholeList(webhooks, { limit, cursor });
    const now = deps.clock.now();
    return { items: items.map((webhook) => presentWebhook(webhook, now)), next_cursor };
  });

  const one = {
    operationId: 'getWebhook',
    tags,
    summary: 'Read a webhook',
    description: 'One of your webhooks, without its secret: whether it is on, and whether it works.',
    params,
    response: { 200: Type.Ref('Webhook'), ...problemAnswers(webhookRefusals) },
  };
  app.get('/api/webhooks/:id', { config, schema: one }, async (request) => {
    const webhook = await readOwnWebhook(deps.db, requireCaller(request), request.params.id);
    return presentWebhook(webhook, deps.clock.now());
  });
}

function changeRoutes(app: App, deps: Platform): void {
  const change = {
    operationId: 'changeWebhook',
    tags,
    summary: 'Change a webhook',
    description:
      'Changes what you send and leaves the rest. `enabled: false` switches the webhook off. While it is off, no events are kept for it; replay them afterwards. `enabled: true`, or another `url`, sends the events that have waited for less than three days.',
    params,
    body: webhookChangeSchema,
    response: {
      200: Type.Ref('Webhook'),
      ...problemAnswers({ ...badBody, ...webhookRefusals, ...valueRefusals }),
    },
  };
  app.patch('/api/webhooks/:id', { config, schema: change }, async (request) => {
    const { event_types: eventTypes, ...rest } = request.body;
    const caller = requireCaller(request);
    const webhook = await changeWebhook(deps, caller, request.params.id, { ...rest, eventTypes }, request.ip);
    return presentWebhook(webhook, deps.clock.now());
  });

  const remove = {
    operationId: 'removeWebhook',
    tags,
    summary: 'Remove a webhook',
    description: 'Removes a webhook for good, with its waiting events and its attempts.',
    params,
    response: { 204: Type.Null({ description: 'It is gone.' }), ...problemAnswers(webhookRefusals) },
  };
  app.delete('/api/webhooks/:id', { config, schema: remove }, async (request, reply) => {
    await removeWebhook(deps, requireCaller(request), request.params.id, request.ip);
    return reply.code(204).send(null);
  });
}
