import { inTransaction } from '../platform/database/index.ts';
import type { Platform } from '../platform/platform.ts';
import { findReferral, isUsable } from '../referrals/index.ts';
import { failDelivery, startAttempt } from './attempts-store.ts';
import type { Channel, Message } from './channels/channel.ts';
import { type Channels, createChannels } from './channels/index.ts';
import { chooseChannel } from './choose-channel.ts';
import { comeToStatus } from './come-to-status.ts';
import { composeMessage } from './compose-message.ts';
import { type Delivery, isToBeSent } from './delivery.ts';
import { endAttempt } from './end-attempt.ts';
import { findWantedChannels } from './find-wanted-channels.ts';
import { addJobAfterPause, addJobNow } from './jobs-store.ts';
import { findDelivery } from './store.ts';
import { trySending } from './try-sending.ts';

/**
 * The `deliver` job: sends one delivery, or finds that nothing is left to do. It may be killed anywhere and run again:
 * the message stays the same, and its channel tells the receiver nothing twice, or the delivery is uncertain until
 * somebody knows. An attempt that is worth another one adds the job for that; whatever is thrown, most likely by a
 * database that is away, makes the queue come back.
 */
export function deliver(
  deps: Platform,
  { delivery_id, receiver }: { delivery_id: string; receiver?: string },
): Promise<void> {
  return deliverBy(deps, createChannels(deps), delivery_id, receiver);
}

export async function deliverBy(
  deps: Platform,
  channels: Channels,
  id: string,
  receiver?: string,
): Promise<void> {
  const { db, settings } = deps;
  // Once round for each channel that turns the message away for good.
  for (;;) {
    const delivery = await findDelivery(db, id);
    if (!delivery || !isToBeSent(delivery.status)) return;
    const referral = await findReferral(db, delivery.referralId);
    if (!referral || !isUsable(referral)) return comeBack(deps, delivery);
    const [wanted = []] = await findWantedChannels(db, [{ delivery, referral }]);
    const channel = chooseChannel(channels, settings.mode, delivery, wanted);
    if (!channel) {
      return fail(deps, delivery, delivery.lastRefusal ?? noneOf(wanted, delivery.recipientName));
    }
    if (delivery.status === 'sending' && !channel.repeatable) return doubt(deps, channel, delivery);
    const next = await channel.receiver?.(db, { leg: delivery.leg, referral });
    // So many at a time may speak to one: where the job has not waited for its turn with this one, it does now.
    if (next !== undefined && next !== receiver) return inTransaction(db, (trx) => addJobNow(trx, id, next));
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
  // No transaction is open while a slow receiver is waited for: it would hold a connection and the row's lock.
  const result = await trySending(deps, channel, message, started);
  const about = { ...message, referralId: message.referral.id };
  return inTransaction(db, (trx) => endAttempt(trx, channel, about, { ...started, ...result }, clock.now()));
}

/** The pause is then that after the eighth attempt: fifty minutes. */
const triesOfRest = 8;

/**
 * While nobody may work with the referral, it is not sent. Afterwards tend-deliveries.ts gives it a new job, but for one in
 * doubt: of those many have been tried for the last time.
 */
async function comeBack({ db }: Platform, { id, status }: Delivery): Promise<void> {
  if (status === 'uncertain') await inTransaction(db, (trx) => addJobAfterPause(trx, id, triesOfRest));
}

/** The pause before the next attempt is then that after the fourth: a minute. */
const triesOfPause = 4;

/**
 * A process was killed in the middle of an attempt, and this channel may tell the receiver something twice: whether the
 * message has gone out is now in doubt. It is asked after, or sent again, when an attempt that seemed dead has had time
 * to end.
 */
async function doubt({ db, clock }: Platform, channel: Channel, delivery: Delivery): Promise<void> {
  const detail = 'The site stopped in the middle of this attempt, so nobody can tell whether it arrived.';
  const about = { ...delivery, deliveryId: delivery.id };
  const stopped = { number: delivery.attemptsStarted, tries: triesOfPause, doubtful: false };
  await inTransaction(db, (trx) =>
    endAttempt(trx, channel, about, { ...stopped, outcome: 'uncertain', detail }, clock.now()),
  );
}

async function fail({ db, clock }: Platform, delivery: Delivery, reason: string): Promise<void> {
  const at = clock.now();
  await inTransaction(db, async (trx) => {
    const failed = await failDelivery(trx, delivery.id, reason, at);
    if (failed) await comeToStatus(trx, delivery, { status: 'failed', reason, at });
  });
}

function noneOf(wanted: readonly string[], recipient: string): string {
  if (wanted.length === 0) return `No way to reach ${recipient} is set.`;
  return `This site has none of the ways that are set for reaching ${recipient}: ${wanted.join(', ')}.`;
}
