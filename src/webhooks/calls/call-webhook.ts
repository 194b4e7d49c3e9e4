import { type Account, type Caller, findAccount, findAccountContact } from '../../accounts/index.ts';
import { recordAudit, siteActor } from '../../audit/index.ts';
import { type Db, inTransaction, type Trx } from '../../platform/database/index.ts';
import { type MailToPeople, mailPeople } from '../../platform/mail/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { contactOf, type Settings } from '../../platform/settings/index.ts';
import { type CallResult, recordAttempt, recordFailure, recordSuccess } from '../model/attempts-store.ts';
import { type DueCall, expireCalls, findDueCall, findNextCallTime } from '../model/calls-store.ts';
import { testEvent } from '../model/event.ts';
import { findEvent } from '../model/events-store.ts';
import { maxFailingMs, maySeeEvent, retryForMs, type Webhook } from '../model/webhook.ts';
import {
  findEnabledWebhook,
  findHolder,
  lockWebhooks,
  resetFailures,
  switchOff,
} from '../model/webhooks-store.ts';
import { scheduleCalls } from './schedule-calls.ts';
import { createSender, type SendCall } from './send-call.ts';

/** The limits of one job, so that deliveries do not wait for a slow webhook with many events. */
const maxCallsPerJob = 20;
const maxMsPerJob = 10_000;

/**
 * Fewer than the jobs that may call other systems at a time (`platform/jobs/slots.ts`), so that some are left to
 * deliveries, however slow webhooks are.
 */
const maxWebhooksAtOnce = 2;
const postponeSeconds = 2;

/**
 * Makes the handler of the `call-webhook` job, which makes the due calls of one webhook one by one, and schedules the job again for the
 * next. It may be killed at any point and run again: a call whose result was not stored is made again under the same id. While
 * enough other webhooks are being called, the job is postponed.
 */
export function webhookJobHandler(
  deps: Platform,
  makeSender: (deps: Platform) => SendCall = createSender,
): (payload: { webhook_id: string }) => Promise<void> {
  let webhooksBeingCalled = 0;
  return async ({ webhook_id: id }) => {
    if (webhooksBeingCalled >= maxWebhooksAtOnce)
      return inTransaction(deps.db, (trx) => scheduleCalls(trx, deps, id, postponeSeconds));
    webhooksBeingCalled += 1;
    try {
      await callWebhook(deps, makeSender(deps), id);
    } finally {
      webhooksBeingCalled -= 1;
    }
  };
}

/** Makes the due calls of one webhook, within the limits of one job, and schedules the next job. */
export async function callWebhook(deps: Platform, send: SendCall, id: string): Promise<void> {
  const { db, clock } = deps;
  const startedMs = performance.now();
  await expireOldCalls(deps, id);
  for (let calls = 0; calls < maxCallsPerJob && performance.now() - startedMs < maxMsPerJob; calls += 1) {
    const call = await findDueCall(db, id, clock.now());
    if (!call) break;
    const holder = await findHolder(db, id);
    if (!holder) break;
    // Sent outside a transaction, because a slow receiver must not hold a connection.
    if (await canHolderSee(db, holder, call)) await recordResult(deps, call, await send(call));
    else await recordNotAllowed(deps, call);
  }
  await inTransaction(db, (trx) => scheduleCalls(trx, deps, id));
}

function expireOldCalls(deps: Platform, id: string): Promise<void> {
  const at = deps.clock.now();
  const queuedBefore = new Date(at.getTime() - retryForMs);
  return inTransaction(deps.db, async (trx) => {
    const existingIds = await lockWebhooks(trx, [id]);
    if (!existingIds.has(id) || !(await expireCalls(trx, id, { queuedBefore, at }))) return;
    // Usually a call that fails switches the webhook off. If nothing is left to send, no call will fail, so it is switched off here.
    if (await findNextCallTime(trx, id)) return;
    const failingSince = (await findEnabledWebhook(trx, id))?.failingSince;
    if (failingSince && failingSince <= queuedBefore) await switchOffAndNotify(trx, deps, id, 'failing');
  });
}

/** Records that a call was not made because the account may not see its event. This does not count against the webhook. */
function recordNotAllowed({ db, clock }: Platform, call: DueCall): Promise<void> {
  const detail = 'Not sent: the account can no longer see this.';
  return inTransaction(db, async (trx) => {
    const existingIds = await lockWebhooks(trx, [call.webhookId]);
    if (!existingIds.has(call.webhookId)) return;
    await recordAttempt(trx, call, { outcome: 'failed', status: null, detail }, clock.now());
  });
}

/** Stores the result of a call, and what follows for the webhook. Does nothing when the webhook was removed meanwhile. */
async function recordResult(deps: Platform, call: DueCall, result: CallResult): Promise<void> {
  const at = deps.clock.now();
  const { webhookId } = call;
  await inTransaction(deps.db, async (trx) => {
    const existingIds = await lockWebhooks(trx, [webhookId]);
    if (!existingIds.has(webhookId)) return;
    // A test event shows whether the webhook works now, so it is not retried and changes nothing else.
    if (call.type === testEvent.type) {
      const outcome = result.outcome === 'will-retry' ? 'failed' : result.outcome;
      return recordAttempt(trx, call, { ...result, outcome }, at);
    }
    await recordAttempt(trx, call, result, at);
    if (result.outcome === 'delivered' || result.outcome === 'captured') return recordSuccess(trx, webhookId);
    const failingSince = await recordFailure(trx, webhookId, result, at);
    if (result.status === 410) return switchOffAndNotify(trx, deps, webhookId, 'gone');
    if (at.getTime() - failingSince.getTime() >= maxFailingMs)
      await switchOffAndNotify(trx, deps, webhookId, 'failing');
  });
}

/**
 * Whether the holder of a webhook may still see what a waiting call is about: they may have moved to another
 * organisation or lost a role since. Nobody may see an event that was deleted.
 */
async function canHolderSee(db: Db, holder: Caller, { eventId, type }: DueCall): Promise<boolean> {
  if (type === testEvent.type) return true;
  const event = await findEvent(db, eventId);
  return event !== undefined && maySeeEvent(holder, event);
}

const reasonsInWords = {
  gone: 'It answered 410, which asks us to stop.',
  failing: 'Every call failed for three days.',
};

/** Switches off a webhook that no longer works, and emails its holder. Does nothing when it is off already. */
async function switchOffAndNotify(
  trx: Trx,
  deps: Platform,
  webhookId: string,
  reason: keyof typeof reasonsInWords,
): Promise<void> {
  const webhook = await findEnabledWebhook(trx, webhookId);
  if (!webhook) return;
  const at = deps.clock.now();
  await switchOff(trx, webhookId, reason, at);
  await resetFailures(trx, webhookId, at);
  const subject = { type: 'webhook', id: webhookId };
  await recordAudit(trx, {
    at,
    actor: siteActor,
    action: 'webhook.switched_off',
    subject,
    details: { reason },
  });
  const account = await findAccount(trx, webhook.accountId);
  const recipient = account && (await findAccountContact(trx, account));
  if (!recipient) return;
  await mailPeople(trx, deps, 'site', switchedOffMail(deps.settings, webhook, account, recipient, reason));
}

function switchedOffMail(
  settings: Settings,
  { id, url }: Webhook,
  account: Pick<Account, 'name' | 'isSystem'>,
  recipient: { name: string; email: string },
  reason: keyof typeof reasonsInWords,
): MailToPeople {
  const { siteName, baseUrl } = settings;
  const which = account.isSystem ? `a webhook of the system ${account.name}` : 'one of your webhooks';
  const howToSwitchOn = account.isSystem ? 'with a call of the API' : `at ${baseUrl}/webhooks/${id}`;
  return {
    to: [recipient.email],
    subject: 'Your webhook was switched off',
    paragraphs: [
      `Hello ${recipient.name},`,
      `${siteName} has switched off ${which}, and sends it nothing more.`,
      `The host that it calls: ${new URL(url).host}`,
      reasonsInWords[reason],
      `When your system works again, switch the webhook on ${howToSwitchOn}: events that have waited less than three days are then sent. ` +
        'You can read all events of the last 30 days, or have them sent again.',
      `Questions? Ask ${contactOf(settings)}.`,
    ],
  };
}
