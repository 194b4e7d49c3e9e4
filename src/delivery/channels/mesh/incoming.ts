import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { PartnerAnswer } from '../../../platform/outbound/index.ts';

const unpack = promisify(gunzip);

/** Nothing that is meant for this site is longer: acknowledgements are a few kilobytes. */
const longestBody = 50_000_000;

/** A message from the inbox. Headers are by names in lower case. */
export type Incoming = {
  id: string;
  type: 'DATA' | 'REPORT';
  workflow: string;
  headers: Readonly<Record<string, string>>;
  /** Unpacked, as far as it could be. */
  body: Buffer;
};

export async function unpackIncoming(id: string, chunks: readonly PartnerAnswer[]): Promise<Incoming> {
  const { headers } = chunks[0]!;
  return {
    id,
    type: headers['mex-messagetype']?.toUpperCase() === 'REPORT' ? 'REPORT' : 'DATA',
    workflow: headers['mex-workflowid'] ?? '',
    headers,
    body: Buffer.concat(await Promise.all(chunks.map(unpacked))),
  };
}

/** What cannot be unpacked is kept as it came, for somebody to look at: the message must not block those behind it. */
async function unpacked({ headers, body }: PartnerAnswer): Promise<Buffer> {
  if (headers['content-encoding'] !== 'gzip' || body.length === 0) return body;
  return unpack(body, { maxOutputLength: longestBody }).catch(() => body);
}
