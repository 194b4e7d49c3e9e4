import { createHmac } from 'node:crypto';
import type { Mailbox } from './mailbox.ts';

/** Each token works once: another nonce or count makes another one. */
export function authorization(
  { id, password, sharedKey }: Pick<Mailbox, 'id' | 'password' | 'sharedKey'>,
  { nonce, count, at }: { nonce: string; count: number; at: Date },
): string {
  const timestamp = at.toISOString().replaceAll(/\D/g, '').slice(0, 'yyyyMMddHHmm'.length);
  const signed = [id, nonce, count, password, timestamp].join(':');
  const hash = createHmac('sha256', sharedKey).update(signed).digest('hex');
  return `NHSMESH ${[id, nonce, count, timestamp, hash].join(':')}`;
}
