import { Type } from 'typebox';
import { openEnum } from '../../platform/http/index.ts';

/**
 * The channels by which referrals can reach a service or a practice. Each service chooses its own, in the order in which they
 * are tried. The delivery room implements them.
 */
export const channelNames = ['inbox', 'email', 'webhook', 'mesh', 'document'] as const;
export type ChannelName = (typeof channelNames)[number];

/**
 * The channels that reach a GP practice. A practice has no account here, so nobody could open an inbox, or fetch the letter
 * that a webhook names.
 */
export const practiceChannelNames: readonly ChannelName[] = ['email', 'mesh', 'document'];

export const channelsSchema = someOf('Channel', channelNames, 'inbox');
export const practiceChannelsSchema = someOf('PracticeChannel', practiceChannelNames, 'document');

function someOf(title: string, names: readonly ChannelName[], example: ChannelName) {
  return Type.Array(openEnum(names, { title }), {
    minItems: 1,
    uniqueItems: true,
    description: `The channels by which it is told of referrals, in the order in which they are tried: ${names.join(', ')}.`,
    examples: [[example]],
  });
}
