import type { IncomingMessage } from 'node:http';
import { OutboundError } from './outbound-error.ts';

/** The whole of an answer, unless it is longer than anybody asked for. */
export async function readAtMost(answer: IncomingMessage, mostBytes: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of answer as AsyncIterable<Buffer>) {
    length += part.length;
    // Leaving the loop ends the connection.
    if (length > mostBytes) throw new OutboundError('ANSWER_TOO_LARGE');
    parts.push(part);
  }
  return Buffer.concat(parts);
}
