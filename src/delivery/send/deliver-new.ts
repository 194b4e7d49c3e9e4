import { inTransaction, isKnownRollback, type Trx } from '../../platform/database/index.ts';
import { describeError } from '../../platform/log/index.ts';
import {
  loadContactElsewhereForLetters,
  lockReferrals,
  mayBeSent,
  type Referral,
} from '../../referrals/index.ts';
import type { Channel, RenderedMessage, SendResult } from '../channels/channel.ts';
import type { DeliveryDeps } from '../channels/deps.ts';
import { findWantedChannels } from '../channels/receiver.ts';
import { holdForCheck } from '../held/hold-for-check.ts';
import { recordDeliveryEvents } from '../model/announce-status.ts';
import { recordFirstAttempts } from '../model/attempts-store.ts';
import { addDeliverJobs, type DeliverJob } from '../model/deliver-jobs.ts';
import { listReferralIdsOf, lockUntriedDeliveries } from '../model/deliveries-store.ts';
import { type Delivery, referralForReceiver } from '../model/delivery.ts';
import { nextCheckAfter } from './attempt.ts';
import { chooseChannel, isRealPatientOnTestSite } from './choose-channel.ts';
import { composeMessage } from './compose-message.ts';

/**
 * The `deliver-new` job: sends deliveries that became necessary at the same time. Messages that stay in this site's database, such as all
 * messages of a test site, are sent in the one transaction that records them: a kill leaves either both or neither.
 * Every other delivery, and every one that fails here, gets a `deliver` job of its own.
 */
export async function deliverNew(
  deps: DeliveryDeps,
  { delivery_ids: ids }: { delivery_ids: string[] },
): Promise<void> {
  try {
    await inTransaction(deps.db, (trx) => sendTogether(trx, deps, ids));
  } catch (error) {
    if (!isKnownRollback(error)) throw error;
    deps.log.warn({ deliveries: ids, error: describeError(error) }, 'deliveries are tried one by one');
    const jobs = ids.map((id) => ({ delivery_id: id }));
    await inTransaction(deps.db, (trx) => addDeliverJobs(trx, jobs));
  }
}

/** The steps of the job: load, hold after a restore, choose channels, render, send and record what this site can, add jobs for the rest. */
async function sendTogether(trx: Trx, deps: DeliveryDeps, ids: readonly string[]): Promise<void> {
  const sendable = await loadSendable(trx, deps, ids);
  const sendableIds = sendable.map(({ delivery }) => delivery.id);
  if (await holdForCheck(trx, sendableIds, deps.clock.now())) return;
  const chosen = await chooseChannels(trx, deps, sendable);
  const rendered = await renderMessages(trx, deps, chosen);
  const at = deps.clock.now();
  const sent = await sendByEachChannel(trx, rendered, at);
  await recordSent(trx, sent, at);
  const sentIds = new Set(sent.map(({ delivery }) => delivery.id));
  const rest = chosen.filter(({ delivery }) => !sentIds.has(delivery.id));
  await addJobsForRest(trx, rest);
}

type Sendable = { delivery: Delivery; referral: Referral };

/** Leaves out deliveries of referrals about which nothing may be sent now: they get a job of their own once it may (`queueWaiting`). */
async function loadSendable(
  trx: Trx,
  { settings }: DeliveryDeps,
  ids: readonly string[],
): Promise<Sendable[]> {
  // Locks the referrals before the deliveries, the order used everywhere, so that no change of the referral comes between.
  const referrals = await lockReferrals(trx, await listReferralIdsOf(trx, ids));
  const deliveries = await lockUntriedDeliveries(trx, ids);
  const sendable: Sendable[] = [];
  for (const delivery of deliveries) {
    const referral = referrals.get(delivery.referralId);
    if (referral && mayBeSent(referral) && !isRealPatientOnTestSite(settings.mode, referral))
      sendable.push({ delivery, referral: await referralForReceiver(trx, delivery, referral) });
  }
  return sendable;
}

type RoutedDelivery = Sendable & { channel: Channel | undefined };

async function chooseChannels(
  trx: Trx,
  { channels, settings, clock }: DeliveryDeps,
  sendable: readonly Sendable[],
): Promise<RoutedDelivery[]> {
  const wanted = await findWantedChannels(trx, sendable, clock.now());
  return sendable.map((each) => {
    const { channels: own, isClosed } = wanted.get(each)!;
    return {
      ...each,
      channel: isClosed ? undefined : chooseChannel(channels, settings.mode, each.delivery, own),
    };
  });
}

type RenderedDelivery = RenderedMessage & { delivery: Delivery; channel: Channel };

/** Renders the messages whose channel only changes this site's database. */
async function renderMessages(
  trx: Trx,
  deps: DeliveryDeps,
  chosen: readonly RoutedDelivery[],
): Promise<RenderedDelivery[]> {
  const messages: RenderedDelivery[] = [];
  const referrals = new Map(chosen.map(({ referral }) => [referral.id, referral]));
  const elsewhere = await loadContactElsewhereForLetters(trx, [...referrals.values()]);
  for (const { delivery, referral, channel } of chosen) {
    if (!channel?.sendTogether) continue;
    const contactElsewhere = elsewhere.get(referral.id) ?? [];
    const message = composeMessage(deps, { ...delivery, contactElsewhere }, referral);
    try {
      messages.push({ delivery, channel, message, rendered: await channel.render(trx, message) });
    } catch (error) {
      // After an error of the database the transaction cannot go on. Any other error will recur, and be recorded, in the delivery's own job.
      if (isKnownRollback(error)) throw error;
    }
  }
  return messages;
}

type SentDelivery = RenderedDelivery & SendResult;

async function sendByEachChannel(
  trx: Trx,
  messages: readonly RenderedDelivery[],
  at: Date,
): Promise<SentDelivery[]> {
  const byChannel = Map.groupBy(messages, ({ channel }) => channel.name);
  const all: SentDelivery[] = [];
  for (const ofChannel of byChannel.values()) {
    const sent = await ofChannel[0]!.channel.sendTogether!(trx, ofChannel, at);
    for (const each of ofChannel) {
      const result = sent.get(each);
      if (result) all.push({ ...each, ...result });
    }
  }
  return all;
}

async function recordSent(trx: Trx, sent: readonly SentDelivery[], at: Date): Promise<void> {
  const attempts = sent.map(({ delivery, channel, message, detail, status }) => {
    const followUpAt = nextCheckAfter(
      status,
      channel,
      { ...delivery, referralStatus: message.referral.status },
      at,
    );
    return { id: delivery.id, channel: channel.name, status, detail, followUpAt };
  });
  await recordFirstAttempts(trx, attempts, at);
  const events = sent.map(({ delivery, status }) => ({ ...delivery, status }));
  await recordDeliveryEvents(trx, events, at);
}

async function addJobsForRest(trx: Trx, rest: readonly RoutedDelivery[]): Promise<void> {
  const jobs: DeliverJob[] = [];
  for (const { delivery, referral, channel } of rest) {
    const receiver = await channel?.systemToCall?.(trx, { leg: delivery.leg, referral });
    jobs.push({ delivery_id: delivery.id, receiver });
  }
  await addDeliverJobs(trx, jobs);
}
