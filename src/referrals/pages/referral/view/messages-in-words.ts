import { removalInWords, virusFound, whyGoneInWords } from '../../../conversation/removal-reasons.ts';
import type { MessageReader } from '../../../model/attention/readings-store.ts';
import type { FullReferral } from './full-referral.ts';
import type { whatMayBeDone } from './what-may-be-done.ts';

/** The side that attached a file can remove it, and so can an operator who has opened the referral. */
export function filesInWords(
  { attachments, sides, gaveReason }: FullReferral,
  { mayAct, canRead }: ReturnType<typeof whatMayBeDone>,
) {
  return attachments.map((file) => {
    const { removedAt, reason, side, isKept } = file;
    const isThere = removedAt === null;
    return {
      ...file,
      removal: reason && removalInWords(reason),
      whyGone: whyGoneInWords(reason?.code),
      opened: sides.some((each) => each === side) ? openedInWords(file) : undefined,
      canOpen: isThere || (isKept && gaveReason && reason?.code !== virusFound),
      canRemove: isThere && (mayAct ? sides.includes(side) : canRead && gaveReason),
    };
  });
}

/** What the side that attached a file reads of it. A system may have fetched it, and it is not known whether anybody has read it. */
function openedInWords({
  openedAt,
  openedByName,
}: Pick<FullReferral['attachments'][number], 'openedAt' | 'openedByName'>): string {
  if (openedByName !== null) return `Opened by ${openedByName}`;
  return openedAt === null ? 'Not opened yet' : 'Fetched, but it is not known who has opened it';
}

/** The conversation, with who of the other side has read what, and which message asks the reader something. */
export function messagesInWords({ messages, readers, sides, hasQuestion, unread }: FullReferral) {
  const isOwn = ({ side }: (typeof messages)[number]) => sides.some((each) => each === side);
  const question = hasQuestion
    ? messages.findLast((message) => !isOwn(message) && message.text.includes('?'))
    : undefined;
  const newOnes = unread > 0 ? messages.filter((message) => !isOwn(message)).slice(-unread) : [];
  const mustBeOpen = [...newOnes, ...(question ? [question] : []), ...messages.slice(-3)];
  return {
    showsQuestion: question !== undefined,
    /** How many of the oldest are folded: not the last three, what is new, or a question to the reader. */
    foldedMessages: messages.findIndex((message) => mustBeOpen.includes(message)),
    messages: messages.map((message) => ({
      ...message,
      isOwn: isOwn(message),
      isQuestion: message === question,
      readBy: [...new Set(readers.filter((reader) => hasRead(reader, message)).map(({ name }) => name))],
    })),
  };
}

/** Ids begin with the time, so that the later message has the greater one. */
function hasRead(reader: MessageReader, message: { id: string; side: string }): boolean {
  return reader.side !== message.side && reader.lastMessageId >= message.id;
}
