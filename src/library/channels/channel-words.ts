import { readUntrimmedFields } from '../../platform/html/index.ts';
import { type ChannelName, channelNames, practiceChannelNames } from '../model/channels.ts';

/** The words for a channel on pages and in letters. */
type ChannelWords = {
  /** As the choice of a service or practice. */
  choice: string;
  /** As the way a message went: “by: email with the letter”. */
  noun: string;
  /** After “was sent to …”. */
  by: string;
  /** That a message was handed over. */
  sent: string;
};

const words: Readonly<Record<ChannelName, ChannelWords>> = {
  inbox: {
    choice: 'The list of referrals on this site',
    noun: 'list of referrals on this site',
    by: 'on this site',
    sent: 'sent',
  },
  email: {
    choice: 'An email with the letter',
    noun: 'email with the letter',
    by: 'by email',
    sent: 'email sent',
  },
  webhook: {
    choice: 'A signed call to their own system',
    noun: 'call to their own system',
    by: 'to their own system',
    sent: 'sent to their system',
  },
  mesh: {
    choice: 'The NHS message exchange (MESH)',
    noun: 'NHS message exchange',
    by: 'by NHS message exchange',
    sent: 'sent by NHS message exchange',
  },
  document: {
    choice: 'A letter to print or file',
    noun: 'letter to print or file',
    by: 'as a letter to print',
    sent: 'letter sent',
  },
};

/** The words of a stored channel; none for one that the site no longer has. */
function wordsOf(channel: string): ChannelWords | undefined {
  return Object.hasOwn(words, channel) ? words[channel as ChannelName] : undefined;
}

/** “email with the letter” */
export function channelInWords(channel: string): string {
  return wordsOf(channel)?.noun ?? channel;
}

/** “by email”; empty for a channel that the site no longer has. */
export function byChannel(channel: string): string {
  return wordsOf(channel)?.by ?? '';
}

/** “email sent” */
export function sentByChannel(channel: string | null): string {
  return wordsOf(channel ?? '')?.sent ?? 'sent';
}

/** The channels, for a page to choose from. */
export const channelChoices = choicesOf(channelNames);
export const practiceChannelChoices = choicesOf(practiceChannelNames);

function choicesOf(names: readonly ChannelName[]) {
  return names.map((value) => ({ value, text: words[value].choice }));
}

export function channelsInWords(channels: readonly string[]): string[] {
  return channels.map((name) => wordsOf(name)?.choice ?? name);
}

const fieldNames = channelNames.map((_, index) => `channel_${index + 1}`);

/** The channels that somebody chose in a form, in their order and each once; `offered` are the form's choices. */
export function readChannels(body: unknown, offered: readonly ChannelName[] = channelNames): ChannelName[] {
  const chosen = Object.values(readUntrimmedFields(body, fieldNames));
  return [...new Set(chosen)].flatMap((name) => offered.find((each) => each === name) ?? []);
}
