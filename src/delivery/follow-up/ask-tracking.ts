import { inTransaction, type Trx } from '../../platform/database/index.ts';
import { describeError } from '../../platform/log/index.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Channel, Sent } from '../channels/channel.ts';
import { type Channels, createChannels } from '../create-channels.ts';
import { addToWorklist } from '../model/worklist-store.ts';
import { applyReport } from './apply-report.ts';
import { lockDelivery, lockUnanswered, setNextCheck, type UnansweredDelivery } from './follow-up-store.ts';
import { recordUnreached } from './poll-channels.ts';
import { recordNoAnswer } from './watch-deliveries.ts';

const hour = 3_600_000;
/** The first time is a day after the message was sent. */
const stopAskingAfterMs = 48 * hour;

/**
 * The `ask-tracking` job: asks the system that carries a message whether its receiver collected it, before anybody is told
 * that nothing was heard from them.
 */
export function askTracking(deps: Platform, { delivery_id }: { delivery_id: string }): Promise<void> {
  return askBy(deps, createChannels(deps), delivery_id);
}

async function askBy(deps: Platform, { live }: Channels, id: string): Promise<void> {
  const { db, clock, log } = deps;
  const delivery = await inTransaction(db, (trx) => lockUnanswered(trx, id));
  const channel = live.find(({ name }) => name === delivery?.channel);
  if (delivery?.status !== 'sent' || !channel?.track) return;
  // No transaction is open while a slow system is waited for.
  const answer = await ask(channel, delivery);
  if (answer.is === 'unknown' && answer.error) {
    log.warn({ delivery: id, error: describeError(answer.error) }, 'nobody could tell of a delivery');
    await recordUnreached(deps, channel, answer.error);
  }
  await inTransaction(db, async (trx) => {
    const still = await lockUnanswered(trx, id);
    if (still?.status === 'sent') await takeAnswer(trx, channel, still, answer, clock.now());
  });
}

/** `waiting`: its receiver has not collected it. `unknown`: it could not be asked. */
type Answer =
  | { is: 'arrived'; as: 'received' | 'acknowledged'; detail: string }
  | { is: 'lost'; detail: string }
  | { is: 'waiting' }
  | { is: 'unknown'; error: unknown };

async function ask(channel: Channel, { messageId, externalId }: UnansweredDelivery): Promise<Answer> {
  try {
    const found: Sent | undefined = await channel.track!({ id: messageId, externalId });
    if (!found || found.status === 'sent') return { is: 'waiting' };
    return { is: 'arrived', as: found.status, detail: found.detail };
  } catch (error) {
    const failure = channel.classify(error);
    return failure?.kind === 'permanent' ? { is: 'lost', detail: failure.detail } : { is: 'unknown', error };
  }
}

async function takeAnswer(
  trx: Trx,
  channel: Channel,
  silent: UnansweredDelivery,
  answer: Answer,
  at: Date,
): Promise<void> {
  const { id, sentAt, recipientName } = silent;
  if (answer.is === 'waiting') return recordNoAnswer(trx, channel, silent, at);
  if (answer.is === 'unknown') {
    await setNextCheck(trx, id, new Date(at.getTime() + hour));
    if (at.getTime() - sentAt.getTime() < stopAskingAfterMs) return;
    const reason = `Nothing was heard from ${recipientName}, and nobody can tell whether they collected the message: the exchange does not say.`;
    return addToWorklist(trx, { deliveryId: id, kind: 'unanswered', reason, at });
  }
  const delivery = await lockDelivery(trx, id);
  if (!delivery) return;
  const status = answer.is === 'lost' ? 'failed' : answer.as;
  await applyReport(trx, delivery, { status, detail: answer.detail }, at);
  if (status === 'received') await recordNoAnswer(trx, channel, { ...silent, status }, at);
}
