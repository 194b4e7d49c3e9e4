import { Type } from 'typebox';
import { requireCaller } from '../../accounts/index.ts';
import { successBanner } from '../../platform/html/index.ts';
import { type App, page, signedIn } from '../../platform/http/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { maxWebhooks } from '../model/webhook.ts';
import { listWebhooksOf } from '../model/webhooks-store.ts';
import { webhookFormPages } from './form-pages.ts';
import { presentWebhook } from './schemas.ts';
import { sendTestEvent } from './test-and-replay.ts';
import {
  changeWebhook,
  listOwnAttempts,
  readOwnWebhook,
  removeWebhook,
  rotateSecret,
} from './webhook-actions.ts';

const config = page(signedIn());
/** Asks for a recent sign-in, so that nobody at an unattended computer learns a secret or redirects events. */
const sensitiveConfig = page(signedIn(), { needsRecentSignIn: true, returnTo: '/webhooks/:id' });
const params = Type.Object({ id: Type.String({ maxLength: 100 }) });
const attemptsPerPage = 25;
const done = successBanner({
  changed: 'The webhook was changed.',
  on: 'The webhook is on. Next: send a test event to see that your endpoint answers.',
  off: 'The webhook is off, and nothing is posted to it. Next: when it is on again, replay what it missed.',
  removed: 'The webhook was removed.',
  tested: 'Test event sent. Next: see its result below.',
});
const querystring = Type.Object({
  done: done.query,
  show: Type.Optional(Type.Enum(['all', 'failed'])),
  before: Type.Optional(Type.String({ pattern: '^[0-9]{1,15}$' })),
});
const failedOutcomes = ['will-retry', 'failed'] as const;

/** Pages where the holder of an account manages the webhooks of their client system. */
export function webhookPages(app: App, deps: WebPlatform): void {
  app.get('/webhooks', { config, schema: { querystring } }, async (request, reply) => {
    const { accountId, hasApiAccess } = requireCaller(request);
    if (!hasApiAccess) return reply.redirect('/apikeys', 303);
    const now = deps.clock.now();
    const webhooks = (await listWebhooksOf(deps.db, accountId)).map((each) => presentWebhook(each, now));
    const isFull = webhooks.length >= maxWebhooks;
    return deps.pages.send(request, reply, 'webhooks/templates/webhooks.njk', {
      webhooks,
      isFull,
      done: done.words(request.query.done),
    });
  });
  webhookFormPages(app, deps);
  webhookPage(app, deps);
  actionForms(app, deps);
  removePages(app, deps);
}

/** The page of one webhook, with its attempts. */
function webhookPage(app: App, deps: WebPlatform): void {
  app.get('/webhooks/:id', { config, schema: { params, querystring } }, async (request, reply) => {
    const caller = requireCaller(request);
    const { id } = request.params;
    const webhook = presentWebhook(await readOwnWebhook(deps.db, caller, id), deps.clock.now());
    const { show = 'all', before } = request.query;
    const log = await listOwnAttempts(deps, caller, id, {
      before: before === undefined ? undefined : Number(before),
      outcomes: show === 'failed' ? failedOutcomes : undefined,
      limit: attemptsPerPage,
    });
    return deps.pages.send(request, reply, 'webhooks/templates/webhook.njk', {
      webhook,
      log,
      show,
      before,
      done: done.words(request.query.done),
    });
  });
}

function actionForms(app: App, deps: WebPlatform): void {
  app.post('/webhooks/:id/test', { config, schema: { params } }, async (request, reply) => {
    await sendTestEvent(deps, requireCaller(request), request.params.id);
    return reply.redirect(`${done.path(`/webhooks/${request.params.id}`, 'tested')}#attempts`, 303);
  });

  for (const [name, enabled] of [
    ['on', true],
    ['off', false],
  ] as const) {
    app.post(
      `/webhooks/:id/${name}`,
      { config: sensitiveConfig, schema: { params } },
      async (request, reply) => {
        await changeWebhook(deps, requireCaller(request), request.params.id, { enabled }, request.ip);
        return reply.redirect(done.path(`/webhooks/${request.params.id}`, name), 303);
      },
    );
  }

  app.post(
    '/webhooks/:id/rotate-secret',
    { config: sensitiveConfig, schema: { params } },
    async (request, reply) => {
      const { id } = request.params;
      const { secret, previousSecretUntil } = await rotateSecret(
        deps,
        requireCaller(request),
        id,
        request.ip,
      );
      return deps.pages.send(request, reply, 'webhooks/templates/secret.njk', {
        id,
        secret,
        previousSecretUntil,
      });
    },
  );
}

function removePages(app: App, deps: WebPlatform): void {
  app.get('/webhooks/:id/remove', { config, schema: { params } }, async (request, reply) => {
    const webhook = await readOwnWebhook(deps.db, requireCaller(request), request.params.id);
    return deps.pages.send(request, reply, 'webhooks/templates/remove-webhook.njk', { webhook });
  });

  app.post(
    '/webhooks/:id/remove',
    { config: sensitiveConfig, schema: { params } },
    async (request, reply) => {
      await removeWebhook(deps, requireCaller(request), request.params.id, request.ip);
      return reply.redirect(done.path('/webhooks', 'removed'), 303);
    },
  );
}
