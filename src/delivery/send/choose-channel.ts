import type { Settings } from '../../platform/settings/index.ts';
import type { Channel } from '../channels/channel.ts';
import type { Channels } from '../channels/deps.ts';
import type { Delivery } from '../model/delivery.ts';

/**
 * Whether a delivery has to stay queued: it is about a real patient, and this process runs as a test site, which would
 * put it in its outbox and call it sent. Such a process is refused at its start (see `site/identity.ts`); should one run
 * all the same, the live site still finds the delivery and sends it.
 */
export function isRealPatientOnTestSite(
  mode: Settings['mode'],
  { simulated }: { simulated: boolean },
): boolean {
  return mode === 'test' && !simulated;
}

/**
 * Of the channels that the receiver wants, the first that this site has and that has not turned the message away for
 * good; or the sink in its place: nothing about a made-up patient is let out, and nothing at all by a test site. A made-up
 * patient stays one when a test site becomes a live one. What may have arrived by one channel is not sent by another.
 */
export function chooseChannel(
  channels: Channels,
  mode: Settings['mode'],
  delivery: Pick<Delivery, 'simulated' | 'refusedBy' | 'status' | 'channel' | 'chosenChannel'>,
  wanted: readonly string[],
): Channel | undefined {
  const { status, channel: current, chosenChannel } = delivery;
  const underWay = status === 'uncertain' || status === 'sending' ? current : null;
  const ways = [underWay ?? chosenChannel ?? wanted].flat();
  const channel = ways
    .filter((name) => !delivery.refusedBy.includes(name))
    .map((name) => channels.live.find((each) => each.name === name))
    .find((each) => each !== undefined);
  if (!channel) return undefined;
  return mode === 'test' || delivery.simulated ? channels.capturing(channel) : channel;
}
