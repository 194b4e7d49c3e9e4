import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { MutualTlsAnswer } from '../../../platform/outbound/index.ts';

const unpack = promisify(gunzip);

/**
 * Acknowledgements are a few kilobytes in one chunk. But anybody with a mailbox may write to this one, and their messages
 * must not fill the memory.
 */
export const maxMessageBytes = 1_000_000;
const maxChunks = 100;

/** Whether enough of a message has been collected. */
export function reachesLimit(chunks: readonly MutualTlsAnswer[]): boolean {
  return chunks.length === maxChunks || lengthOf(chunks) >= maxMessageBytes;
}

function lengthOf(chunks: readonly MutualTlsAnswer[]): number {
  return chunks.reduce((sum, { length }) => sum + length, 0);
}

/** A message from the inbox. The names of its headers are in lower case. */
export type IncomingMessage = {
  id: string;
  type: 'DATA' | 'REPORT';
  workflow: string;
  headers: Readonly<Record<string, string>>;
  /** Unpacked if possible. Only the beginning of a message that is too long. */
  body: Buffer;
  /** The length of what was collected. */
  length: number;
  /** Whether all of it was collected. */
  isWhole: boolean;
};

export async function unpackIncoming(
  id: string,
  chunks: readonly MutualTlsAnswer[],
): Promise<IncomingMessage> {
  const { headers } = chunks[0]!;
  return {
    id,
    type: headers['mex-messagetype']?.toUpperCase() === 'REPORT' ? 'REPORT' : 'DATA',
    workflow: headers['mex-workflowid'] ?? '',
    headers,
    body: await bodyOf(chunks),
    length: lengthOf(chunks),
    isWhole: chunks.at(-1)!.status === 200 && chunks.every(({ body, length }) => body.length === length),
  };
}

/** A body that cannot be unpacked is kept as it came, so that the message does not block the others. */
async function bodyOf(chunks: readonly MutualTlsAnswer[]): Promise<Buffer> {
  try {
    return await unpackBody(chunks);
  } catch {
    return Buffer.concat(chunks.map(({ body }) => body));
  }
}

/** @throws when it is not packed as it says, or unpacks to more than the limit. */
async function unpackBody(chunks: readonly MutualTlsAnswer[]): Promise<Buffer> {
  const parts: Buffer[] = [];
  let left = maxMessageBytes;
  for (const { headers, body } of chunks) {
    const isPacked = headers['content-encoding'] === 'gzip' && body.length > 0;
    const part = isPacked ? await unpack(body, { maxOutputLength: Math.max(left, 1) }) : body;
    left -= part.length;
    parts.push(part);
  }
  return Buffer.concat(parts);
}
