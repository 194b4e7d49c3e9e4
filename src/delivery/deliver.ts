import type { Platform } from '../platform/platform.ts';
import { findReferral } from '../referrals/index.ts';
import { type AttemptResult, failDelivery, recordAttempt, startAttempt } from './attempts-store.ts';
import { type Channel, type Message, PermanentFailure, RetryableFailure } from './channels/channel.ts';
import { type Channels, createChannels } from './channels/index.ts';
import { chooseChannel } from './choose-channel.ts';
import { composeMessage } from './compose-message.ts';
import { isToBeSent } from './delivery.ts';
import { findWantedChannels } from './find-wanted-channels.ts';
import { findDelivery } from './store.ts';

/** With the queue's growing pauses this is about four days. */
const mostAttempts = 25;

/**
 * The `deliver` job: sends one delivery, or finds that nothing is left to do. It may be killed anywhere and run again:
 * the message stays the same, and its channel tells the receiver nothing twice.
 * @throws whatever stopped an attempt that is worth another one, so that the queue comes back to it later.
 */
export function deliver(deps: Platform, { delivery_id }: { delivery_id: string }): Promise<void> {
  return deliverBy(deps, createChannels(deps), delivery_id);
}

export async function deliverBy(deps: Platform, channels: Channels, id: string): Promise<void> {
  const { db, clock, settings } = deps;
  // Once round for each channel that turns the message away for good.
  for (;;) {
    const delivery = await findDelivery(db, id);
    if (!delivery || !isToBeSent(delivery.status)) return;
    const referral = await findReferral(db, delivery.referralId);
    if (!referral) return;
    const wanted = await findWantedChannels(db, delivery.leg, referral);
    const channel = chooseChannel(channels, settings.mode, delivery, wanted);
    if (!channel) {
      return failDelivery(
        db,
        id,
        delivery.lastRefusal ?? noneOf(wanted, delivery.recipientName),
        clock.now(),
      );
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
  const number = await startAttempt(db, deliveryId, channel.name, clock.now());
  if (number === undefined) return false;
  // No transaction is open while a slow receiver is waited for: it would hold a connection and the row's lock.
  const { error, ...result } = await trySending(channel, message, number);
  await recordAttempt(db, { ...result, deliveryId, number, channel: channel.name, at: clock.now() });
  if (result.status === 'queued' && result.outcome === 'will-retry') throw error;
  return result.outcome === 'failed' && result.status === 'queued';
}

type Result = Pick<AttemptResult, 'outcome' | 'status' | 'detail'> & { error?: unknown };

async function trySending(channel: Channel, message: Message, number: number): Promise<Result> {
  try {
    const { status, detail } = await channel.send(message);
    return { outcome: status, status, detail };
  } catch (error) {
    if (error instanceof PermanentFailure) {
      return { outcome: 'failed', status: 'queued', detail: error.message };
    }
    // The message of an error that nobody foresaw may quote a patient's detail, so it is not shown.
    const detail = error instanceof RetryableFailure ? error.message : 'Something went wrong on this site.';
    if (number < mostAttempts) return { outcome: 'will-retry', status: 'queued', detail, error };
    return { outcome: 'failed', status: 'failed', detail: `${detail} It was tried ${number} times.` };
  }
}

function noneOf(wanted: readonly string[], recipient: string): string {
  if (wanted.length === 0) return `No way to reach ${recipient} is set.`;
  return `This site has none of the ways that are set for reaching ${recipient}: ${wanted.join(', ')}.`;
}
