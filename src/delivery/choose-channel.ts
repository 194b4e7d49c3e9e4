import type { Settings } from '../platform/settings/index.ts';
import type { Channel } from './channels/channel.ts';
import type { Channels } from './channels/index.ts';
import type { Delivery } from './delivery.ts';

/**
 * The one place where test and live differ: nothing about a made-up patient is let out, and nothing at all by a test
 * site. A made-up patient stays one should a test site's database ever be started as a live site.
 */
export function isSimulated(mode: Settings['mode'], { simulated }: { simulated: boolean }): boolean {
  return mode === 'test' || simulated;
}

/**
 * Of the channels that the receiver wants, the first that this site has and that has not turned the message away for
 * good; or the sink in its place. What may have arrived by one channel is not sent by another.
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
  return isSimulated(mode, delivery) ? channels.sinkFor(channel) : channel;
}
