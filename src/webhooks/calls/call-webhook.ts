import type { Caller } from '../../accounts/index.ts';
import { type Db, inTransaction } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { type CallResult, insertAttempt, recordFailure, recordSuccess } from '../model/attempts-store.ts';
import { testEvent } from '../model/event.ts';
import { findEvent } from '../model/events-store.ts';
import { type Call, expireMessages, findNextCall, findNextTime } from '../model/messages-store.ts';
import { maySeeEvent, timeoutMs } from '../model/webhook.ts';
import { findEnabledWebhook, findHolder, lockWebhooks } from '../model/webhooks-store.ts';
import { scheduleCalls } from './schedule-calls.ts';
import { createSender, type Sender } from './send-message.ts';
import { switchOff } from './switch-off.ts';

/** Then other jobs have their turn, so that many events for a slow webhook do not keep deliveries waiting. */
const maxCalls = 20;
const maxMs = 10_000;

/** Of the four jobs that speak to others at once: however slow the receivers are, the others are left to deliveries. */
const maxConcurrent = 2;
const putOffSeconds = 2;
/** How many webhooks are being called now; by database, since in tests a process has several sites. */
const underWay = new WeakMap<Db, number>();

/**
 * The `call-webhook` job: sends one webhook what it is due, event by event, and sees to it that it runs again when there
 * is more. It may be killed anywhere and run again: an event that was sent but not written down is sent once more, under
 * the same id. While enough other webhooks are being called, it is put off.
 */
export async function callWebhook(deps: Platform, { webhook_id: id }: { webhook_id: string }): Promise<void> {
  const { db } = deps;
  const others = underWay.get(db) ?? 0;
  if (others >= maxConcurrent) return inTransaction(db, (trx) => scheduleCalls(trx, deps, id, putOffSeconds));
  underWay.set(db, others + 1);
  try {
    await callWebhookBy(deps, createSender(deps), id);
  } finally {
    underWay.set(db, underWay.get(db)! - 1);
  }
}

/** The same, by another sender; for tests. */
export async function callWebhookBy(deps: Platform, send: Sender, id: string): Promise<void> {
  const { db, clock } = deps;
  const startedMs = performance.now();
  await expireOldMessages(deps, id);
  for (let calls = 0; calls < maxCalls && performance.now() - startedMs < maxMs; calls += 1) {
    const call = await findNextCall(db, id, clock.now());
    const holder = call && (await findHolder(db, id));
    if (!holder) break;
    // No transaction is open while a slow receiver is waited for: it would hold a connection.
    if (await mayHolderSee(db, holder, call)) await recordCall(deps, call, await send(call));
    else await recordNotAllowed(deps, call);
  }
  await inTransaction(db, (trx) => scheduleCalls(trx, deps, id));
}

function expireOldMessages(deps: Platform, id: string): Promise<void> {
  const at = deps.clock.now();
  const queuedBefore = new Date(at.getTime() - timeoutMs);
  return inTransaction(deps.db, async (trx) => {
    const there = await lockWebhooks(trx, [id]);
    if (!there.has(id) || !(await expireMessages(trx, id, { queuedBefore, at }))) return;
    // Where nothing is left to try, no failure would switch it off, and its holder would not hear what was given up.
    if (await findNextTime(trx, id)) return;
    const failingSince = (await findEnabledWebhook(trx, id))?.failingSince;
    if (failingSince && failingSince <= queuedBefore) await switchOff(trx, deps, id, 'failing');
  });
}

/** It is no failure of the webhook's. */
function recordNotAllowed({ db, clock }: Platform, call: Call): Promise<void> {
  const detail = 'Not sent: the account may not see this any more.';
  return inTransaction(db, async (trx) => {
    const there = await lockWebhooks(trx, [call.webhookId]);
    if (!there.has(call.webhookId)) return;
    await insertAttempt(trx, call, { outcome: 'failed', status: null, detail }, clock.now());
  });
}

/** What came of the attempt, and of the webhook by it, in one transaction; nothing where it was removed meanwhile. */
async function recordCall(deps: Platform, call: Call, result: CallResult): Promise<void> {
  const at = deps.clock.now();
  const { webhookId } = call;
  await inTransaction(deps.db, async (trx) => {
    const there = await lockWebhooks(trx, [webhookId]);
    if (!there.has(webhookId)) return;
    // A test tells its holder something, here and now: it is not tried again, and changes nothing.
    if (call.type === testEvent.type) {
      const outcome = result.outcome === 'will-retry' ? 'failed' : result.outcome;
      return insertAttempt(trx, call, { ...result, outcome }, at);
    }
    await insertAttempt(trx, call, result, at);
    if (result.outcome === 'delivered' || result.outcome === 'captured') return recordSuccess(trx, webhookId);
    const failingSince = await recordFailure(trx, webhookId, result, at);
    if (result.status === 410) return switchOff(trx, deps, webhookId, 'gone');
    if (at.getTime() - failingSince.getTime() >= timeoutMs) await switchOff(trx, deps, webhookId, 'failing');
  });
}

/**
 * Whether the holder of a webhook may still see what a message that waited tells of: they may have moved to another
 * organisation since, or lost a role. An event that is no longer kept is nobody's to see.
 */
async function mayHolderSee(db: Db, holder: Caller, { eventId, type }: Call): Promise<boolean> {
  if (type === testEvent.type) return true;
  const event = await findEvent(db, eventId);
  return event !== undefined && maySeeEvent(holder, event);
}
