import { inTransaction, isUndone, type Trx } from '../../platform/database/index.ts';
import { addJobs } from '../../platform/jobs/index.ts';
import { describeError } from '../../platform/log/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { findReferrals, isUsable } from '../../referrals/index.ts';
import type { Channel, RenderedMessage, Sent } from '../channels/channel.ts';
import { findWantedChannels } from '../channels/receiver.ts';
import { type Channels, createChannels } from '../create-channels.ts';
import { recordDeliveryEvents } from '../model/announce-status.ts';
import { recordFirstAttempts } from '../model/attempts-store.ts';
import type { Delivery } from '../model/delivery.ts';
import { lockNewDeliveries } from '../model/store.ts';
import { nextCheckAfter } from './attempt.ts';
import { chooseChannel, isRealPatientOnTestSite } from './choose-channel.ts';
import { composeMessage } from './compose-message.ts';

/**
 * The `deliver-new` job: sends what has become necessary at one time. What goes no further than this site's database, as
 * all that a test site sends, is sent together, in the one transaction that records it: it is there once or not at all,
 * wherever the process is killed. Everything else gets a `deliver` job of its own, and so does what goes wrong.
 */
export function deliverNew(deps: Platform, { delivery_ids }: { delivery_ids: string[] }): Promise<void> {
  return deliverNewBy(deps, createChannels(deps), delivery_ids);
}

export async function deliverNewBy(
  deps: Platform,
  channels: Channels,
  ids: readonly string[],
): Promise<void> {
  try {
    await inTransaction(deps.db, (trx) => sendTogether(deps, trx, channels, ids));
  } catch (error) {
    if (!isUndone(error)) throw error;
    deps.log.warn({ deliveries: ids, error: describeError(error) }, 'deliveries are tried one by one');
    const jobs = ids.map((id) => ({ delivery_id: id }));
    await inTransaction(deps.db, (trx) => leaveToThemselves(trx, jobs));
  }
}

type Prepared = RenderedMessage & { delivery: Delivery; channel: Channel };

async function sendTogether(
  deps: Platform,
  trx: Trx,
  channels: Channels,
  ids: readonly string[],
): Promise<void> {
  const { settings, clock } = deps;
  const deliveries = await lockNewDeliveries(trx, ids);
  const referrals = await findReferrals(trx, [...new Set(deliveries.map((each) => each.referralId))]);
  const sendable = deliveries.flatMap((delivery) => {
    const referral = referrals.get(delivery.referralId);
    const isSendable = referral && isUsable(referral) && !isRealPatientOnTestSite(settings.mode, referral);
    return isSendable ? [{ delivery, referral }] : [];
  });
  const wanted = await findWantedChannels(trx, sendable);
  const chosen = sendable.map((each, place) => {
    return {
      ...each,
      channel: chooseChannel(channels, settings.mode, each.delivery, wanted[place]!.channels),
    };
  });
  const prepared: Prepared[] = [];
  for (const { delivery, referral, channel } of chosen) {
    if (!channel?.sendTogether) continue;
    const message = composeMessage(settings, delivery, referral);
    try {
      prepared.push({ delivery, channel, message, rendered: await channel.render(message) });
    } catch (error) {
      // Of what the database said, the transaction has to end. Everything else is one's own, and is told when it is tried.
      if (isUndone(error)) throw error;
    }
  }
  const at = clock.now();
  const sent = await sendByEach(trx, prepared, at);
  await recordFirstAttempts(
    trx,
    sent.map(({ delivery, channel, detail, status }) => {
      const followUpAt = nextCheckAfter(status, channel, delivery, at);
      return { id: delivery.id, channel: channel.name, status, detail, followUpAt };
    }),
    at,
  );
  await recordDeliveryEvents(
    trx,
    sent.map(({ delivery, status }) => ({ ...delivery, status })),
    at,
  );
  const done = new Set(sent.map(({ delivery }) => delivery.id));
  const left: LeftJob[] = [];
  for (const { delivery, referral, channel } of chosen) {
    if (done.has(delivery.id)) continue;
    const receiver = await channel?.receiver?.(trx, { leg: delivery.leg, referral });
    left.push({ delivery_id: delivery.id, receiver });
  }
  await leaveToThemselves(trx, left);
}

/** Each channel sends all of its own. @returns those that it sent. */
async function sendByEach(trx: Trx, prepared: readonly Prepared[], at: Date): Promise<(Prepared & Sent)[]> {
  const byName = Map.groupBy(prepared, ({ channel }) => channel.name);
  const all: (Prepared & Sent)[] = [];
  for (const these of byName.values()) {
    const sent = await these[0]!.channel.sendTogether!(trx, these, at);
    for (const [place, each] of these.entries()) {
      const what = sent[place];
      if (what) all.push({ ...each, ...what });
    }
  }
  return all;
}

type LeftJob = { delivery_id: string; receiver?: string | undefined };

async function leaveToThemselves(trx: Trx, jobs: readonly LeftJob[]): Promise<void> {
  if (jobs.length > 0) await addJobs(trx, 'deliver', jobs);
}
