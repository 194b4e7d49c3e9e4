import type { Platform } from '../../platform/platform.ts';
import type { LetterDrawer } from '../letter/draw/letter-drawer.ts';
import type { Channel } from './channel.ts';

/** What sending needs beyond the platform. It is made in the composition root and lives as long as the process. */
export type DeliveryDeps = Platform & { readonly channels: Channels; readonly letterDrawer: LetterDrawer };

export type Channels = {
  /** The channels that send messages. */
  readonly outgoing: readonly Channel[];
  /** The channel that captures what this channel would send, for test sites. */
  capturing(channel: Channel): Channel;
};
