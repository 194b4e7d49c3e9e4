import { findBlockingReason } from '../../platform/connections/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { findReferral, isUsable, type Referral } from '../../referrals/index.ts';
import type { Channel, Message } from '../channels/channel.ts';
import { findWantedChannels } from '../channels/receiver.ts';
import { type Channels, createChannels } from '../create-channels.ts';
import { holdDelivery } from '../held/hold-delivery.ts';
import { announceStatus } from '../model/announce-status.ts';
import { failDelivery, startAttempt } from '../model/attempts-store.ts';
import { type Delivery, needsSending } from '../model/delivery.ts';
import { findDelivery } from '../model/store.ts';
import { recordResult, sendMessage } from './attempt.ts';
import { chooseChannel, isRealPatientOnTestSite } from './choose-channel.ts';
import { composeMessage } from './compose-message.ts';
import { addJobAfterPause, addJobNow } from './jobs-store.ts';

/**
 * The `deliver` job: sends one delivery, or finds that nothing is left to do. It may be killed anywhere and run again:
 * the message stays the same, and its channel tells the receiver nothing twice, or the delivery is uncertain until
 * somebody knows. An attempt that is worth another one adds the job for that; whatever is thrown, most likely by a
 * database that is away, makes the queue come back.
 */
export function deliver(
  deps: Platform,
  { delivery_id, ...options }: { delivery_id: string } & DeliverOptions,
): Promise<void> {
  return deliverBy(deps, createChannels(deps), delivery_id, options);
}

/** `try_now`: somebody asked for it, so it is tried even if its connection has just refused this site. */
type DeliverOptions = { receiver?: string | undefined; try_now?: boolean | undefined };

export async function deliverBy(
  deps: Platform,
  channels: Channels,
  id: string,
  { receiver, try_now: tryNow }: DeliverOptions = {},
): Promise<void> {
  const { db, settings, clock } = deps;
  // Once round for each channel that turns the message away for good.
  for (;;) {
    const delivery = await findDelivery(db, id);
    if (!delivery || !needsSending(delivery.status)) return;
    const referral = await findReferral(db, delivery.referralId);
    if (!referral || !isUsable(referral) || isRealPatientOnTestSite(settings.mode, referral))
      return comeBack(deps, delivery);
    const [found] = await findWantedChannels(db, [{ delivery, referral }]);
    const { channels: wanted, unconfirmed: waiting } = found!;
    const channel = chooseChannel(channels, settings.mode, delivery, wanted);
    if (!channel && waiting.length > 0) return hold(deps, id, unconfirmed(delivery, referral));
    if (!channel) {
      return fail(deps, delivery, delivery.lastRefusal ?? noneOf(wanted, delivery.recipientName));
    }
    if (delivery.status === 'sending' && !channel.repeatable) return doubt(deps, channel, delivery);
    const next = await channel.receiver?.(db, { leg: delivery.leg, referral });
    // So many at a time may speak to one: where the job has not waited for its turn with this one, it does now.
    if (next !== undefined && next !== receiver)
      return inTransaction(db, (trx) => addJobNow(trx, id, { receiver: next, try_now: tryNow }));
    const { connection } = channel;
    const refused = connection && !tryNow && (await findBlockingReason(db, connection, clock.now()));
    if (refused) return hold(deps, id, { by: connection, reason: refused });
    const message = composeMessage(settings, delivery, referral);
    const turnedAway = await attempt(deps, channel, message);
    if (!turnedAway) return;
  }
}

/** @returns true where this channel turned the message away for good, and another one may be tried. */
async function attempt(deps: Platform, channel: Channel, message: Message): Promise<boolean> {
  const { db, clock } = deps;
  const { deliveryId } = message;
  const started = await startAttempt(db, deliveryId, channel.name, clock.now());
  if (!started) return false;
  // No transaction is open while a slow receiver is waited for: it would hold a connection and the row's lock.
  const result = await sendMessage(deps, channel, message, started);
  const about = { ...message, referralId: message.referral.id };
  return inTransaction(db, (trx) =>
    recordResult(trx, channel, about, { ...started, ...result }, clock.now()),
  );
}

/** The pause is then that after the eighth attempt: fifty minutes. */
const attemptsOfRest = 8;

/**
 * While nobody may work with the referral, it is not sent, nor by a test site while its patient is a real one. Afterwards tend-deliveries.ts gives it a new job, but for one in
 * doubt: of those many have been tried for the last time.
 */
async function comeBack({ db }: Platform, { id, status }: Delivery): Promise<void> {
  if (status === 'uncertain') await inTransaction(db, (trx) => addJobAfterPause(trx, id, attemptsOfRest));
}

/** The pause before the next attempt is then that after the fourth: a minute. */
const attemptsOfPause = 4;

/**
 * A process was killed in the middle of an attempt, and this channel may tell the receiver something twice: whether the
 * message has gone out is now in doubt. It is asked after, or sent again, when an attempt that seemed dead has had time
 * to end.
 */
async function doubt({ db, clock }: Platform, channel: Channel, delivery: Delivery): Promise<void> {
  const detail = 'The site stopped in the middle of this attempt, so nobody can tell whether it arrived.';
  const about = { ...delivery, deliveryId: delivery.id };
  const stopped = {
    number: delivery.attemptsStarted,
    channelAttempts: attemptsOfPause,
    mayHaveArrived: false,
    heldBy: null,
  };
  await inTransaction(db, (trx) =>
    recordResult(trx, channel, about, { ...stopped, outcome: 'uncertain', detail }, clock.now()),
  );
}

function hold({ db, clock }: Platform, id: string, why: { by: string; reason: string }): Promise<void> {
  return inTransaction(db, (trx) => holdDelivery(trx, id, { ...why, at: clock.now() }));
}

async function fail({ db, clock }: Platform, delivery: Delivery, reason: string): Promise<void> {
  const at = clock.now();
  await inTransaction(db, async (trx) => {
    const failed = await failDelivery(trx, delivery.id, reason, at);
    if (failed) await announceStatus(trx, delivery, { status: 'failed', reason, at });
  });
}

/** The prefix of `held_by` for deliveries that wait until an address of their receiver is confirmed, or another way is set. */
export const heldForAddress = 'address ';

function unconfirmed({ leg, recipientName }: Delivery, referral: Referral): { by: string; reason: string } {
  const receiver =
    leg === 'service' ? `service ${referral.service_id}` : `practice ${referral.gp_practice?.ods_code}`;
  const reason = `The new address of ${recipientName} is not confirmed. Whoever can confirm it has an email with a link; this is sent once they do.`;
  return { by: `${heldForAddress}${receiver}`, reason };
}

function noneOf(wanted: readonly string[], recipient: string): string {
  if (wanted.length === 0) return `No way to reach ${recipient} is set.`;
  return `This site has none of the ways that are set for reaching ${recipient}: ${wanted.join(', ')}.`;
}
