import { isDeepStrictEqual } from 'node:util';
import { actorOf, type Caller } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { type Db, inTransaction, type Trx } from '../../platform/database/index.ts';
import { newId, requireById } from '../../platform/ids/index.ts';
import { newSigningSecret, whyNotCall } from '../../platform/outbound/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { defineProblem, Problem, unprocessable } from '../../platform/problem/index.ts';
import { scheduleCalls } from '../calls/schedule-calls.ts';
import { type AttemptFilter, listAttempts, type WebhookAttempt } from '../model/attempts-store.ts';
import { eventTypeShape } from '../model/event.ts';
import {
  everyType,
  maxDescriptionLength,
  maxWebhooks,
  previousSecretValidForMs,
  type Webhook,
} from '../model/webhook.ts';
import {
  deleteWebhook,
  findWebhook,
  insertWebhook,
  lockAndCountWebhooks,
  lockWebhook,
  resetFailures,
  switchOff,
  switchOn,
  updateSecret,
  updateWebhook,
} from '../model/webhooks-store.ts';

export type WebhookInput = Pick<Webhook, 'url' | 'eventTypes' | 'description'>;

/**
 * Adds a webhook. @returns it with its secret, which is never shown again.
 * @throws Problem `unprocessable`, `too-many-webhooks`.
 */
export async function addWebhook(
  deps: Platform,
  caller: Caller,
  input: WebhookInput,
  ipAddress: string,
): Promise<{ webhook: Webhook; secret: string }> {
  checkWebhook(deps, input);
  const at = deps.clock.now();
  const id = newId(at.getTime());
  const secret = newSigningSecret();
  return inTransaction(deps.db, async (trx) => {
    if ((await lockAndCountWebhooks(trx, caller.accountId)) >= maxWebhooks)
      throw new Problem(tooManyWebhooks);
    const webhook = await insertWebhook(trx, {
      ...input,
      id,
      accountId: caller.accountId,
      secret: deps.secrets.seal('webhook', id, secret),
      at,
    });
    await recordAudit(trx, {
      at,
      actor: actorOf(caller, ipAddress),
      action: 'webhook.added',
      subject: { type: 'webhook', id },
      details: { host: new URL(input.url).host, event_types: input.eventTypes },
    });
    return { webhook, secret };
  });
}

/** Reads a webhook of the caller. @throws Problem `not-found`, also for somebody else's webhook. */
export function readOwnWebhook(db: Db, caller: Caller, id: string): Promise<Webhook> {
  return requireById(id, (id) => findWebhook(db, caller.accountId, id));
}

/** Reads a webhook of the caller, and locks it until the transaction ends. @throws Problem `not-found`. */
export function lockOwnWebhook(trx: Trx, caller: Caller, id: string): Promise<Webhook> {
  return requireById(id, (id) => lockWebhook(trx, caller.accountId, id));
}

const typePattern = new RegExp(`^${eventTypeShape}$`);

/** @throws Problem `unprocessable` with every field that cannot be used. */
function checkWebhook({ settings }: Platform, { url, eventTypes, description }: WebhookInput): void {
  const urlError = whyNotCall(url, settings.mode);
  // A client may ask for a type that only later versions have. Until then it has no effect.
  const isMalformed = eventTypes.some((type) => type !== everyType && !typePattern.test(type));
  const errors = [
    ...(urlError === undefined ? [] : [{ pointer: '/url', message: urlError }]),
    ...(eventTypes.length > 0 ? [] : [{ pointer: '/event_types', message: 'Choose at least one' }]),
    ...(isMalformed
      ? [{ pointer: '/event_types', message: 'must be types such as referral.accepted, or *' }]
      : []),
    ...((description?.length ?? 0) <= maxDescriptionLength
      ? []
      : [{ pointer: '/description', message: `must have at most ${maxDescriptionLength} characters` }]),
  ];
  if (errors.length > 0) throw new Problem(unprocessable, 'The webhook was not saved.', { errors });
}

export type WebhookChange = {
  [Field in keyof WebhookInput]?: WebhookInput[Field] | undefined;
} & { enabled?: boolean | undefined };

/**
 * Changes a webhook, or switches it off or on. When it is switched on or gets another address, its waiting messages are sent at once:
 * earlier failures do not tell whether it works now.
 * @throws Problem `not-found`, `unprocessable`.
 */
export async function changeWebhook(
  deps: Platform,
  caller: Caller,
  id: string,
  change: WebhookChange,
  ipAddress: string,
): Promise<Webhook> {
  const at = deps.clock.now();
  return inTransaction(deps.db, async (trx) => {
    const before = await lockOwnWebhook(trx, caller, id);
    const {
      enabled,
      url = before.url,
      eventTypes = before.eventTypes,
      description = before.description,
    } = change;
    const after = { ...before, url, eventTypes, description };
    checkWebhook(deps, after);
    await updateWebhook(trx, after, at);
    const isSwitched = enabled !== undefined && enabled !== (before.offAt === null);
    if (isSwitched && enabled) await switchOn(trx, id, at);
    if (isSwitched && !enabled) await switchOff(trx, id, 'by-hand', at);
    if (isSwitched || url !== before.url) await resetFailures(trx, id, at);
    const entry = {
      at,
      actor: actorOf(caller, ipAddress),
      subject: { type: 'webhook', id },
      details: { host: new URL(url).host, event_types: eventTypes },
    };
    if (isSwitched)
      await recordAudit(trx, { ...entry, action: `webhook.switched_${enabled ? 'on' : 'off'}` });
    if (!isSwitched || !isDeepStrictEqual(after, before))
      await recordAudit(trx, { ...entry, action: 'webhook.changed' });
    await scheduleCalls(trx, deps, id);
    return readOwnWebhook(trx, caller, id);
  });
}

/**
 * Gives a webhook a new secret, which is never shown again. For a day the previous secret signs as well, so that the
 * receiver can change over without refusing a call. @throws Problem `not-found`.
 */
export async function rotateSecret(
  deps: Platform,
  caller: Caller,
  id: string,
  ipAddress: string,
): Promise<{ secret: string; previousSecretUntil: Date }> {
  const at = deps.clock.now();
  const until = new Date(at.getTime() + previousSecretValidForMs);
  const secret = newSigningSecret();
  await inTransaction(deps.db, async (trx) => {
    await lockOwnWebhook(trx, caller, id);
    await updateSecret(trx, id, { secret: deps.secrets.seal('webhook', id, secret), until, at });
    await recordAudit(trx, {
      at,
      actor: actorOf(caller, ipAddress),
      action: 'webhook.secret_changed',
      subject: { type: 'webhook', id },
    });
  });
  return { secret, previousSecretUntil: until };
}

/** Removes a webhook with its waiting messages and its attempts. @throws Problem `not-found`. */
export async function removeWebhook(
  deps: Platform,
  caller: Caller,
  id: string,
  ipAddress: string,
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const { url } = await lockOwnWebhook(trx, caller, id);
    await deleteWebhook(trx, id);
    await recordAudit(trx, {
      at: deps.clock.now(),
      actor: actorOf(caller, ipAddress),
      action: 'webhook.removed',
      subject: { type: 'webhook', id },
      details: { host: new URL(url).host },
    });
  });
}

/** The attempts to call a webhook of the caller, newest first. @throws Problem `not-found`. */
export async function listOwnAttempts(
  { db }: Platform,
  caller: Caller,
  id: string,
  { limit, ...filter }: AttemptFilter,
): Promise<{ attempts: WebhookAttempt[]; hasMore: boolean }> {
  await readOwnWebhook(db, caller, id);
  const rows = await listAttempts(db, id, { ...filter, limit: limit + 1 });
  return { attempts: rows.slice(0, limit), hasMore: rows.length > limit };
}

export const tooManyWebhooks = defineProblem({
  type: 'too-many-webhooks',
  status: 409,
  title: 'The account has reached its limit of webhooks',
  detail: 'Remove one first.',
});
