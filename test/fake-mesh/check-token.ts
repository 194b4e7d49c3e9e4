import { createHmac } from 'node:crypto';
import type { Mailbox } from './exchange.ts';
import { Refused } from './faults.ts';

const shape =
  /^NHSMESH ([A-Z0-9]+):([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}):(\d{1,9}):(\d{12}):([0-9a-f]{64})$/;
const twoHours = 2 * 60 * 60_000;

/** Whether a request is of the mailbox it names: the hash, the clock, and that no token was ever used before. */
export function createTokenCheck(sharedKey: string, now: () => Date) {
  const used = new Set<string>();
  return (header: string | undefined, mailbox: Mailbox): void => {
    const [, id, nonce, count, timestamp, hash] = shape.exec(header ?? '') ?? [];
    if (id === undefined || nonce === undefined || timestamp === undefined)
      throw new Refused(403, 'Error reading from Authorization header');
    if (id !== mailbox.id) throw new Refused(403, 'Mailbox id does not match token');
    const parts = /^(....)(..)(..)(..)(..)$/.exec(timestamp)!.slice(1).map(Number) as [
      number,
      number,
      number,
      number,
      number,
    ];
    const [year, month, ...rest] = parts;
    // The timestamp has no seconds: it may be up to a minute older than the moment it was made.
    const age = now().getTime() - Date.UTC(year, month - 1, ...rest);
    if (!(age < twoHours + 60_000 && age > -twoHours)) throw new Refused(403, 'Invalid Authentication Token');
    const signed = [id, nonce, count, mailbox.password, timestamp].join(':');
    if (createHmac('sha256', sharedKey).update(signed).digest('hex') !== hash)
      throw new Refused(403, 'Invalid Authentication Token');
    const name = `${id}:${nonce.toLowerCase()}:${Number(count)}`;
    if (used.has(name)) throw new Refused(403, 'Error Duplicated Authentication Token');
    used.add(name);
  };
}
