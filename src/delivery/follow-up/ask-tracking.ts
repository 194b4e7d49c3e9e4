import { inTransaction, type Trx } from '../../platform/database/index.ts';
import { hourMs } from '../../platform/durations.ts';
import { describeError } from '../../platform/log/index.ts';
import type { RefusalCause } from '../../referrals/index.ts';
import type { Channel, SendResult } from '../channels/channel.ts';
import type { DeliveryDeps } from '../channels/deps.ts';
import { addUndelivered } from '../model/undelivered-store.ts';
import { applyReport } from './apply-report.ts';
import { lockDelivery, lockUnanswered, setNextCheck, type UnansweredDelivery } from './follow-up-store.ts';
import { recordChannelFailure } from './poll-channels.ts';
import { escalateIfUnanswered } from './watch-deliveries.ts';

/** After the message was sent. It is tracked for the first time after a day. */
const stopTrackingAfterMs = 48 * hourMs;

/**
 * The `ask-tracking` job: asks the system that carries a message whether the receiver collected it, before an operator is
 * told that the receiver has not answered.
 */
export async function askTracking(
  deps: DeliveryDeps,
  { delivery_id: id }: { delivery_id: string },
): Promise<void> {
  const { db, clock, log, channels } = deps;
  const delivery = await inTransaction(db, (trx) => lockUnanswered(trx, id));
  const channel = channels.outgoing.find(({ name }) => name === delivery?.channel);
  if (delivery?.status !== 'sent' || !channel?.track) return;
  // Without a transaction, because the system may be slow.
  const answer = await track(channel, delivery);
  if (answer.kind === 'unknown' && answer.error) {
    log.warn({ delivery: id, error: describeError(answer.error) }, 'a delivery could not be tracked');
    await recordChannelFailure(deps, channel, answer.error);
  }
  await inTransaction(db, async (trx) => {
    const current = await lockUnanswered(trx, id);
    if (current?.status === 'sent') await recordAnswer(trx, channel, current, answer, clock.now());
  });
}

/** `waiting`: the receiver has not collected it. `unknown`: the system could not be asked. */
type TrackingAnswer =
  | { kind: 'collected'; detail: string }
  | { kind: 'undeliverable'; detail: string; cause?: RefusalCause | undefined }
  | { kind: 'waiting' }
  | { kind: 'unknown'; error: unknown };

async function track(
  channel: Channel,
  { messageId, externalId }: UnansweredDelivery,
): Promise<TrackingAnswer> {
  try {
    const result: SendResult | undefined = await channel.track!({ id: messageId, externalId });
    if (!result || result.status === 'sent') return { kind: 'waiting' };
    return { kind: 'collected', detail: result.detail };
  } catch (error) {
    const failure = channel.classify(error);
    return failure?.kind === 'permanent'
      ? { kind: 'undeliverable', detail: failure.detail, cause: failure.cause }
      : { kind: 'unknown', error };
  }
}

async function recordAnswer(
  trx: Trx,
  channel: Channel,
  unanswered: UnansweredDelivery,
  answer: TrackingAnswer,
  at: Date,
): Promise<void> {
  const { id, sentAt, receiverName } = unanswered;
  if (answer.kind === 'waiting') return escalateIfUnanswered(trx, channel, unanswered, at);
  if (answer.kind === 'unknown') {
    await setNextCheck(trx, id, new Date(at.getTime() + hourMs));
    if (at.getTime() - sentAt.getTime() < stopTrackingAfterMs) return;
    const reason = `Nothing was heard from ${receiverName}, and the exchange could not tell us whether they have collected the message.`;
    return addUndelivered(trx, { deliveryId: id, kind: 'unanswered', reason, at });
  }
  const delivery = await lockDelivery(trx, id);
  if (!delivery) return;
  const status = answer.kind === 'undeliverable' ? 'failed' : 'received';
  const { detail } = answer;
  const cause = answer.kind === 'undeliverable' ? answer.cause : undefined;
  await applyReport(trx, delivery, { status, detail, cause }, at);
  if (status === 'received') await escalateIfUnanswered(trx, channel, { ...unanswered, status }, at);
}
