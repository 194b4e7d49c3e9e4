import { isUuid } from '../../../platform/ids/index.ts';
import type { News } from '../channel.ts';
import { reasonInWords } from './exchange-refusal.ts';
import { newsOf } from './gp-connect/news-of.ts';
import { readAcknowledgement } from './gp-connect/read-acknowledgement.ts';
import type { Incoming } from './incoming.ts';

/** What a message from the inbox says of one that was sent; the same news once for each way in which it names that. */
export function newsIn(message: Incoming): News[] {
  if (message.type === 'REPORT') return reported(message);
  const acknowledgement = message.workflow.endsWith('_ACK') ? readAcknowledgement(message.body) : undefined;
  return acknowledgement && isUuid(acknowledgement.about) ? [newsOf(acknowledgement)] : [];
}

/** 14 is what the exchange says when nobody collected a message. */
function reported({ headers }: Incoming): News[] {
  const code = headers['mex-statuscode'];
  const { 'mex-linkedmsgid': trackedAs, 'mex-localid': messageId } = headers;
  const news = { status: code === '14' ? 'expired' : 'failed', detail: reasonInWords(code) } as const;
  return [
    ...(trackedAs ? [{ ...news, about: { trackedAs } }] : []),
    ...(messageId && isUuid(messageId) ? [{ ...news, about: { messageId } }] : []),
  ];
}
