import { inTransaction } from '../platform/database/index.ts';
import { describeError } from '../platform/log/index.ts';
import type { Platform } from '../platform/platform.ts';
import { findReferral } from '../referrals/index.ts';
import { type AttemptResult, failDelivery, recordAttempt, startAttempt } from './attempts-store.ts';
import { type Channel, type Message, PermanentFailure, RetryableFailure } from './channels/channel.ts';
import { type Channels, createChannels } from './channels/index.ts';
import { chooseChannel } from './choose-channel.ts';
import { composeMessage } from './compose-message.ts';
import { type Delivery, isToBeSent } from './delivery.ts';
import { findWantedChannels } from './find-wanted-channels.ts';
import { addJobAfterPause } from './jobs-store.ts';
import { recordDeliveryEvent } from './record-delivery-event.ts';
import { findDelivery } from './store.ts';

/** By each channel. With the growing pauses between them this is about four days. */
const mostTries = 25;

/**
 * The `deliver` job: sends one delivery, or finds that nothing is left to do. It may be killed anywhere and run again:
 * the message stays the same, and its channel tells the receiver nothing twice. An attempt that is worth another one
 * adds the job for that; whatever is thrown, most likely by a database that is away, makes the queue come back.
 */
export function deliver(deps: Platform, { delivery_id }: { delivery_id: string }): Promise<void> {
  return deliverBy(deps, createChannels(deps), delivery_id);
}

export async function deliverBy(deps: Platform, channels: Channels, id: string): Promise<void> {
  const { db, settings } = deps;
  // Once round for each channel that turns the message away for good.
  for (;;) {
    const delivery = await findDelivery(db, id);
    if (!delivery || !isToBeSent(delivery.status)) return;
    const referral = await findReferral(db, delivery.referralId);
    if (!referral) return;
    const wanted = await findWantedChannels(db, delivery.leg, referral);
    const channel = chooseChannel(channels, settings.mode, delivery, wanted);
    if (!channel) {
      return fail(deps, delivery, delivery.lastRefusal ?? noneOf(wanted, delivery.recipientName));
    }
    const message = composeMessage(settings, delivery, referral);
    const refused = await attempt(deps, channel, message);
    if (!refused) return;
  }
}

/** @returns true where this channel turned the message away for good, and another one may be tried. */
async function attempt(deps: Platform, channel: Channel, message: Message): Promise<boolean> {
  const { db, clock } = deps;
  const { deliveryId } = message;
  const started = await startAttempt(db, deliveryId, channel.name, clock.now());
  if (!started) return false;
  const { number, tries } = started;
  // No transaction is open while a slow receiver is waited for: it would hold a connection and the row's lock.
  const result = await trySending(deps, channel, message, tries);
  return inTransaction(db, async (trx) => {
    const { outcome } = result;
    const made = { ...result, deliveryId, number, channel: channel.name, at: clock.now() };
    const decided = await recordAttempt(trx, made);
    if (!decided) return false;
    if (outcome === 'will-retry') await addJobAfterPause(trx, deliveryId, tries);
    if (outcome === 'sent' || outcome === 'received')
      await recordDeliveryEvent(trx, { id: deliveryId, referralId: message.referralId }, outcome, made.at);
    return outcome === 'failed';
  });
}

async function fail({ db, clock }: Platform, delivery: Delivery, detail: string): Promise<void> {
  const at = clock.now();
  await inTransaction(db, async (trx) => {
    const failed = await failDelivery(trx, delivery.id, detail, at);
    if (failed) await recordDeliveryEvent(trx, delivery, 'failed', at);
  });
}

type Result = Pick<AttemptResult, 'outcome' | 'detail'>;

async function trySending(
  deps: Platform,
  channel: Channel,
  message: Message,
  tries: number,
): Promise<Result> {
  if (tries > mostTries) return givenUp('The site stopped in the middle of the last attempt.');
  try {
    const { status, detail } = await channel.send(message);
    return { outcome: status, detail };
  } catch (error) {
    if (error instanceof PermanentFailure) return { outcome: 'failed', detail: error.message };
    const { deliveryId } = message;
    deps.log.warn(
      { delivery: deliveryId, channel: channel.name, tries, error: describeError(error) },
      'a delivery did not work',
    );
    // The message of an error that nobody foresaw may quote a patient's detail, so it is not shown.
    const detail = error instanceof RetryableFailure ? error.message : 'Something went wrong on this site.';
    return tries < mostTries ? { outcome: 'will-retry', detail } : givenUp(detail);
  }
}

function givenUp(why: string): Result {
  return { outcome: 'failed', detail: `${why} It was tried ${mostTries} times.` };
}

function noneOf(wanted: readonly string[], recipient: string): string {
  if (wanted.length === 0) return `No way to reach ${recipient} is set.`;
  return `This site has none of the ways that are set for reaching ${recipient}: ${wanted.join(', ')}.`;
}
