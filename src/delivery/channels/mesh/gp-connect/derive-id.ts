import { createHash } from 'node:crypto';

/** The id of a part of a message: a version 8 UUID (RFC 9562), the same whenever the message is made again. */
export function deriveId(messageId: string, part: string): string {
  const bytes = createHash('sha256').update(`${messageId} ${part}`).digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
