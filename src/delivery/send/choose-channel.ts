import type { Settings } from '../../platform/settings/index.ts';
import type { Channel } from '../channels/channel.ts';
import type { Channels } from '../channels/deps.ts';
import type { Delivery } from '../model/delivery.ts';

/**
 * Whether a delivery about a real patient must stay queued because this process runs as a test site, which would capture
 * it and call it sent. Such a process is refused at its start (`site/identity.ts`). If one runs all the same, the live
 * site still finds the delivery and sends it.
 */
export function isRealPatientOnTestSite(
  mode: Settings['mode'],
  { simulated }: { simulated: boolean },
): boolean {
  return mode === 'test' && !simulated;
}

/**
 * The first channel that this site has and that has not given up the message, of these:
 * - if the message may have arrived by a channel, that channel alone;
 * - else the channel that an operator has chosen;
 * - else those that the receiver wants, in their order.
 *
 * Messages of a test site and about made-up patients are captured: a made-up patient stays one when a test site becomes live.
 */
export function chooseChannel(
  channels: Channels,
  mode: Settings['mode'],
  delivery: Pick<Delivery, 'simulated' | 'givenUpBy' | 'status' | 'channel' | 'chosenChannel'>,
  wanted: readonly string[],
): Channel | undefined {
  const { status, channel: current, chosenChannel } = delivery;
  const currentChannel = status === 'uncertain' || status === 'sending' ? current : null;
  const candidates = [currentChannel ?? chosenChannel ?? wanted].flat();
  const channel = candidates
    .filter((name) => !delivery.givenUpBy.includes(name))
    .map((name) => channels.outgoing.find((each) => each.name === name))
    .find((each) => each !== undefined);
  if (!channel) return undefined;
  return mode === 'test' || delivery.simulated ? channels.capturing(channel) : channel;
}
