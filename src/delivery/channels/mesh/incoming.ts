import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { PartnerAnswer } from '../../../platform/outbound/index.ts';

const unpack = promisify(gunzip);

/**
 * Nothing that is meant for this site is longer or in more parts: acknowledgements are a few kilobytes. But whoever has a
 * mailbox may write to this one, and what they write must not fill the memory.
 */
export const maxMessageBytes = 1_000_000;
const maxChunks = 100;

/** Whether enough of a message was collected, whatever else there is of it. */
export function isLongEnough(chunks: readonly PartnerAnswer[]): boolean {
  return chunks.length === maxChunks || lengthOf(chunks) >= maxMessageBytes;
}

function lengthOf(chunks: readonly PartnerAnswer[]): number {
  return chunks.reduce((sum, { length }) => sum + length, 0);
}

/** A message from the inbox. Headers are by names in lower case. */
export type Incoming = {
  id: string;
  type: 'DATA' | 'REPORT';
  workflow: string;
  headers: Readonly<Record<string, string>>;
  /** Unpacked, as far as it could be; of one that is too long, the beginning. */
  body: Buffer;
  /** As it came, or at least so long. */
  length: number;
};

export async function unpackIncoming(id: string, chunks: readonly PartnerAnswer[]): Promise<Incoming> {
  const { headers } = chunks[0]!;
  return {
    id,
    type: headers['mex-messagetype']?.toUpperCase() === 'REPORT' ? 'REPORT' : 'DATA',
    workflow: headers['mex-workflowid'] ?? '',
    headers,
    body: await bodyOf(chunks),
    length: lengthOf(chunks),
  };
}

/** What cannot be unpacked is kept as it came, for somebody to look at: the message must not block those behind it. */
async function bodyOf(chunks: readonly PartnerAnswer[]): Promise<Buffer> {
  try {
    return await unpacked(chunks);
  } catch {
    return Buffer.concat(chunks.map(({ body }) => body));
  }
}

/** @throws where it is not what it says, or unpacks to more than there can be. */
async function unpacked(chunks: readonly PartnerAnswer[]): Promise<Buffer> {
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
