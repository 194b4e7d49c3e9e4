import { readUntrimmedFields } from '../../platform/html/index.ts';
import { type ChannelName, channelNames, practiceChannelNames } from '../model/channels.ts';

const labels: Readonly<Record<ChannelName, string>> = {
  inbox: 'The list of referrals on this site',
  email: 'An email with the letter',
  webhook: 'A signed call to their own system',
  mesh: 'The NHS message exchange (MESH)',
  document: 'A letter to print or file',
};

/** The channels, for a page to choose from. */
export const channelChoices = choicesOf(channelNames);
export const practiceChannelChoices = choicesOf(practiceChannelNames);

function choicesOf(names: readonly ChannelName[]) {
  return names.map((value) => ({ value, text: labels[value] }));
}

export function channelsInWords(channels: readonly string[]): string[] {
  return channels.map((name) => labels[name as ChannelName] ?? name);
}

const fieldNames = channelNames.map((_, index) => `channel_${index + 1}`);

/** The channels that somebody chose in a form, in their order and each once; `offered` are the form's choices. */
export function readChannels(body: unknown, offered: readonly ChannelName[] = channelNames): ChannelName[] {
  const chosen = Object.values(readUntrimmedFields(body, fieldNames));
  return [...new Set(chosen)].flatMap((name) => offered.find((each) => each === name) ?? []);
}
