import { randomBytes } from 'node:crypto';
import { notFound, Problem } from '../problem/index.ts';

/**
 * A new identifier: a version 7 UUID (RFC 9562). It begins with the time, so that rows made together are together in their
 * indexes, and ends in 74 random bits, so that nobody can guess it.
 */
export function newId(nowMs: number = Date.now()): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(nowMs, 0, 6);
  bytes[6] = (bytes[6]! & 0x0f) | 0x70;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/**
 * Gives each request an id for the log: a random start for the process, and a counter. Making UUIDs would cost a third of the
 * throughput of an empty handler.
 */
export function createRequestIds(): () => string {
  const start = randomBytes(9).toString('base64url');
  let count = 0;
  return () => {
    count += 1;
    return `${start}-${count.toString(36)}`;
  };
}

const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text has the shape of a UUID. PostgreSQL answers other text with an error and not with “no row”. */
export function isUuid(text: string): boolean {
  return uuidShape.test(text);
}

/** What has this id, which somebody sent. @throws Problem `not-found` if nothing has it, or it is no id at all. */
export async function requireById<T>(id: string, find: (id: string) => Promise<T | undefined>): Promise<T> {
  const match = isUuid(id) ? await find(id) : undefined;
  if (match === undefined) throw new Problem(notFound);
  return match;
}
