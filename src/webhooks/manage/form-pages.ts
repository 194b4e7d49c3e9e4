import { Type } from 'typebox';
import { requireCaller } from '../../accounts/index.ts';
import { readUntrimmedFields, toFormErrors, trimToUndefined } from '../../platform/html/index.ts';
import { type App, page, type Reply, type Request, signedIn } from '../../platform/http/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { Problem, requireRefusal, unprocessable } from '../../platform/problem/index.ts';
import { eventTypes, versionOf } from '../model/event.ts';
import { everyType } from '../model/webhook.ts';
import {
  addWebhook,
  changeWebhook,
  readOwnWebhook,
  tooManyWebhooks,
  type WebhookInput,
} from './webhook-actions.ts';

/** Asks for a recent sign-in, so that nobody at an unattended computer can send an account’s events elsewhere. */
const config = page(signedIn(), { needsRecentSignIn: true });
const template = 'webhooks/templates/webhook-form.njk';
const params = Type.Object({ id: Type.String({ maxLength: 100 }) });
/** After these refusals the form is shown again, with what was typed. */
const formRefusals = [unprocessable, tooManyWebhooks];
const labels = { url: 'The endpoint URL', event_types: 'The events', description: 'The note' };

/** The forms to add a webhook and to change one. */
export function webhookFormPages(app: App, deps: WebPlatform): void {
  const show = (request: Request, reply: Reply, form: WebhookInput, id?: string, problem?: Problem) => {
    const errors = problem && toFormErrors(labels, withMissingUrl(form, problem));
    // Types of later versions, which a client chose through the API. The form must not drop them.
    const others = form.eventTypes.filter((each) => each !== everyType && versionOf(each) === undefined);
    return deps.pages.send(request, reply.code(problem?.kind.status ?? 200), template, {
      ...{ form, id, errors, eventTypes, everyType, others },
    });
  };

  app.get('/webhooks/new', { config }, (request, reply) => {
    if (!requireCaller(request).hasApiAccess) return reply.redirect('/apikeys', 303);
    return show(request, reply, { url: '', eventTypes: [everyType], description: null });
  });

  app.post('/webhooks/new', { config }, async (request, reply) => {
    const caller = requireCaller(request);
    if (!caller.hasApiAccess) return reply.redirect('/apikeys', 303);
    const form = readWebhookForm(request.body);
    try {
      const { webhook, secret } = await addWebhook(deps, caller, form, request.ip);
      return deps.pages.send(request, reply, 'webhooks/templates/secret.njk', { id: webhook.id, secret });
    } catch (error) {
      requireRefusal(error, formRefusals);
      return show(request, reply, form, undefined, error);
    }
  });

  app.get('/webhooks/:id/change', { config, schema: { params } }, async (request, reply) => {
    const webhook = await readOwnWebhook(deps.db, requireCaller(request), request.params.id);
    return show(request, reply, webhook, webhook.id);
  });

  app.post('/webhooks/:id/change', { config, schema: { params } }, async (request, reply) => {
    const { id } = request.params;
    const form = readWebhookForm(request.body);
    try {
      await changeWebhook(deps, requireCaller(request), id, form, request.ip);
      return reply.redirect(`/webhooks/${id}?done=changed`, 303);
    } catch (error) {
      requireRefusal(error, formRefusals);
      return show(request, reply, form, id, error);
    }
  });
}

/** An empty field has no form that could be wrong, so the page says what to enter. */
function withMissingUrl({ url }: WebhookInput, problem: Problem): Problem {
  if (url !== '' || !problem.errors) return problem;
  const errors = problem.errors.map((error) =>
    error.pointer === '/url'
      ? { ...error, message: 'Enter the endpoint URL, such as https://client.example.org/webhooks' }
      : error,
  );
  return new Problem(problem.kind, problem.detail, { errors });
}

function readWebhookForm(body: unknown): WebhookInput {
  const { url, description } = readUntrimmedFields(body, ['url', 'description']);
  const choices = [(body as { event_types?: unknown } | undefined)?.event_types ?? []].flat();
  return {
    url: url.trim(),
    eventTypes: choices.filter((each) => typeof each === 'string'),
    description: trimToUndefined(description) ?? null,
  };
}
