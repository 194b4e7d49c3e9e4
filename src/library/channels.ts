import { Type } from 'typebox';

/**
 * The ways by which a service or a practice can be told of referrals, of which each names its own in the order in which
 * they are tried. The delivery room has a channel for each.
 */
export const channelNames = ['inbox', 'email', 'webhook', 'mesh', 'document'] as const;
export type ChannelName = (typeof channelNames)[number];

export const channelsSchema = Type.Array(Type.Enum([...channelNames]), {
  minItems: 1,
  uniqueItems: true,
  description: `By which ways it is told of referrals, in the order in which they are tried: ${channelNames.join(', ')}.`,
  examples: [['inbox']],
});
