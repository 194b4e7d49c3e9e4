import { type ActionOn, actorOf } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { findMeshMessage, markMessageResolved } from '../../delivery/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { isUuid, requireById } from '../../platform/ids/index.ts';
import { discardGivenUpJob, retryGivenUpJob } from '../../platform/jobs/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { defineProblem, notFound, Problem } from '../../platform/problem/index.ts';
import { closeUnmatched, findUnmatched, lockOpen, type Unmatched } from './store.ts';

const cannotBeRetried = defineProblem({
  type: 'cannot-be-retried',
  status: 409,
  title: 'Only a job can be tried again',
  detail: 'Look at the message, and say what was done about it.',
});

/** Runs a job again that was given up. @throws Problem `not-found`, also if it is closed; `cannot-be-retried`. */
export async function retryGivenUp(deps: Platform, act: ActionOn): Promise<Unmatched> {
  return close(deps, act, { outcome: 'retried', note: null });
}

/**
 * Records what was done: a job is taken out of the queue, and a message is deleted after a month, like those that were placed.
 * @throws Problem `not-found`, also if it is closed.
 */
export async function closeAsDone(deps: Platform, act: ActionOn, note: string): Promise<Unmatched> {
  return close(deps, act, { outcome: 'done', note });
}

async function close(
  deps: Platform,
  { caller, id, ipAddress }: ActionOn,
  { outcome, note }: { outcome: 'done' | 'retried'; note: string | null },
): Promise<Unmatched> {
  const at = deps.clock.now();
  return inTransaction(deps.db, async (trx) => {
    const found = await requireById(id, (id) => lockOpen(trx, id));
    const { kind, subject } = found;
    if (outcome === 'retried' && kind !== 'given-up-job') throw new Problem(cannotBeRetried);
    if (outcome === 'retried') await retryGivenUpJob(trx, subject);
    else if (kind === 'given-up-job') await discardGivenUpJob(trx, subject);
    else await markMessageResolved(trx, subject);
    await closeUnmatched(trx, id, { outcome, by: caller.accountId, note }, at);
    await recordAudit(trx, {
      at,
      actor: actorOf(caller, ipAddress),
      action: outcome === 'done' ? 'loose_end.done' : 'loose_end.retried',
      subject: { type: 'loose_end', id },
      details: { kind, subject },
    });
    return (await findUnmatched(trx, id))!;
  });
}

/** The message as it came. It may be about a patient, so the audit says who read it. @throws Problem `not-found`. */
export async function readUnmatchedMessage(
  deps: Platform,
  { caller, id, ipAddress }: ActionOn,
): Promise<Buffer> {
  return inTransaction(deps.db, async (trx) => {
    const found = isUuid(id) ? await lockOpen(trx, id) : undefined;
    const message = found?.kind === 'unexplained-message' && (await findMeshMessage(trx, found.subject));
    if (!message) throw new Problem(notFound);
    await recordAudit(trx, {
      at: deps.clock.now(),
      actor: actorOf(caller, ipAddress),
      action: 'loose_end.message_read',
      subject: { type: 'loose_end', id },
      details: { message: found.subject },
    });
    return message;
  });
}
