import type { Client } from 'pg';

let count = 0;

/**
 * A number that grows with whatever this process did to the database but read: what was remembered under a smaller one
 * may be older than a change that one of our own callers has just been told of.
 */
export function ownChanges(): number {
  return count;
}

/**
 * Counts what changes the database on a connection, before anybody learns that it did. A SELECT that changes something
 * by a function, outside a transaction, is taken for one that reads: no table that is remembered is changed that way.
 */
export function countChanges(client: Client): void {
  client.connection.on('commandComplete', ({ text }: { text: string }) => {
    if (!/^(SELECT|BEGIN)/.test(text)) count += 1;
  });
}
