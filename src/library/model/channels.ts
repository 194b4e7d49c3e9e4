import { Type } from 'typebox';

/**
 * The ways by which a service or a practice can be told of referrals, of which each names its own in the order in which
 * they are tried. The delivery room has a channel for each.
 */
export const channelNames = ['inbox', 'email', 'webhook', 'mesh', 'document'] as const;
export type ChannelName = (typeof channelNames)[number];

/**
 * Those that reach a GP practice. It has no account on the site, so that there is nobody who could open an inbox, or fetch
 * the letter that a call to its own system would name.
 */
export const practiceChannelNames: readonly ChannelName[] = ['email', 'mesh', 'document'];

export const channelsSchema = someOf(channelNames, 'inbox');
export const practiceChannelsSchema = someOf(practiceChannelNames, 'document');

function someOf(names: readonly ChannelName[], example: ChannelName) {
  return Type.Array(Type.Enum([...names]), {
    minItems: 1,
    uniqueItems: true,
    description: `By which ways it is told of referrals, in the order in which they are tried: ${names.join(', ')}.`,
    examples: [[example]],
  });
}
