import { type ActionOn, actorOf } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { findMeshMessage, type KeptMessage, markMessageResolved } from '../../delivery/index.ts';
import { inTransaction, type Trx } from '../../platform/database/index.ts';
import { isUuid, requireById } from '../../platform/ids/index.ts';
import { discardGivenUpJob, retryGivenUpJob } from '../../platform/jobs/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { defineProblem, notFound, Problem } from '../../platform/problem/index.ts';
import { requireWhatWasDone } from '../../platform/reason.ts';
import {
  closeUnmatched,
  findUnmatched,
  hasRead,
  insertReading,
  lockOpen,
  type UnmatchedItem,
} from './unmatched-store.ts';

const cannotBeRetried = defineProblem({
  type: 'cannot-be-retried',
  status: 409,
  title: 'Only a job can be tried again',
  detail: 'Look at the message, and say what was done about it.',
});

const messageNotRead = defineProblem({
  type: 'message-not-read',
  status: 409,
  title: 'Read the message first',
  detail:
    'You have not read this message. Open it at /operator/deliveries/unmatched, then say what was done about it.',
});

/** Runs a job again that was given up. @throws Problem `not-found`, also if it is closed; `cannot-be-retried`. */
export async function retryGivenUp(deps: Platform, act: ActionOn): Promise<UnmatchedItem> {
  return close(deps, act, { outcome: 'retried', note: null });
}

/**
 * Records what was done. A job is removed from the queue; a message is deleted after a month, like those that the site could place.
 * @throws Problem `unprocessable`; `not-found`, also if it is closed; `message-not-read` if the caller has not read the message.
 */
export async function closeAsDone(deps: Platform, act: ActionOn, words: string): Promise<UnmatchedItem> {
  return close(deps, act, { outcome: 'done', note: requireWhatWasDone(words) });
}

async function close(
  deps: Platform,
  { caller, id, ipAddress }: ActionOn,
  { outcome, note }: { outcome: 'done' | 'retried'; note: string | null },
): Promise<UnmatchedItem> {
  const at = deps.clock.now();
  return inTransaction(deps.db, async (trx) => {
    const { kind, subject } = await requireById(id, (id) => lockOpen(trx, id));
    if (outcome === 'retried' && kind !== 'given-up-job') throw new Problem(cannotBeRetried);
    if (outcome === 'retried') await retryGivenUpJob(trx, subject);
    else if (kind === 'given-up-job') await discardGivenUpJob(trx, subject);
    else if (await hasRead(trx, id, caller.accountId)) await markMessageResolved(trx, subject);
    else throw new Problem(messageNotRead);
    await closeUnmatched(trx, id, { as: outcome, by: caller.accountId, words: note }, at);
    await recordAudit(trx, {
      at,
      actor: actorOf(caller, ipAddress),
      action: outcome === 'done' ? 'loose_end.done' : 'loose_end.retried',
      subject: { type: 'loose_end', id },
      details: { kind, subject, ...(note !== null && { reason: note }) },
    });
    return (await findUnmatched(trx, id))!;
  });
}

/** An open message with its text, if it has one. */
export type MessageToResolve = { item: UnmatchedItem; message: KeptMessage; text: string | undefined };

/** Reads a message for a page. It may be about a patient, so the audit says who read it. @throws Problem `not-found`. */
export async function openUnmatchedMessage(deps: Platform, act: ActionOn): Promise<MessageToResolve> {
  return inTransaction(deps.db, async (trx) => {
    const message = await requireMessage(trx, act.id);
    const text = textOf(message.body);
    // A message that a page cannot show counts as read once it is saved.
    if (text !== undefined) await recordReading(trx, deps, act, message);
    return { item: (await findUnmatched(trx, act.id))!, message, text };
  });
}

/** The message as it came, to save. @throws Problem `not-found`. */
export async function saveUnmatchedMessage(deps: Platform, act: ActionOn): Promise<Buffer> {
  return inTransaction(deps.db, async (trx) => {
    const message = await requireMessage(trx, act.id);
    await recordReading(trx, deps, act, message);
    return message.body;
  });
}

async function requireMessage(trx: Trx, id: string): Promise<KeptMessage> {
  const item = isUuid(id) ? await lockOpen(trx, id) : undefined;
  const message = item?.kind === 'unexplained-message' && (await findMeshMessage(trx, item.subject));
  if (!message) throw new Problem(notFound);
  return message;
}

async function recordReading(
  trx: Trx,
  { clock }: Platform,
  { caller, id, ipAddress }: ActionOn,
  message: KeptMessage,
): Promise<void> {
  const at = clock.now();
  await insertReading(trx, { itemId: id, accountId: caller.accountId, at });
  await recordAudit(trx, {
    at,
    actor: actorOf(caller, ipAddress),
    action: 'loose_end.message_read',
    subject: { type: 'loose_end', id },
    details: { message: message.id },
  });
}

/** The words of a message. Undefined if it is packed, a picture or another file that a page cannot show. */
function textOf(body: Buffer): string | undefined {
  // The end of a cut message may be half a letter, which is no reason to hide the rest.
  const text = new TextDecoder('utf-8', { fatal: false }).decode(body);
  const unreadableCharacters = text.match(/[^\P{Cc}\t\n\r]|\ufffd/gu)?.length ?? 0;
  return unreadableCharacters > 1 ? undefined : text;
}
