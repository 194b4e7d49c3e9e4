import type { Trx } from '../../platform/database/index.ts';
import { mailboxOf } from '../../platform/mail/index.ts';
import { Problem, unprocessable } from '../../platform/problem/index.ts';
import { listDeliveryAddresses, listPendingAddresses, type Receiver } from './addresses-store.ts';

type Addresses = readonly (string | null | undefined)[];

/** The addresses of each channel: the one in use, and the one that nobody has confirmed yet. */
export async function loadAddresses(trx: Trx, receiver: Receiver): Promise<(channel: string) => Addresses> {
  const inUse = await listDeliveryAddresses(trx, receiver);
  const pending = await listPendingAddresses(trx, receiver);
  return (channel) => [inUse[channel], pending.find((each) => each.channel === channel)?.address];
}

/** A person who reads the mailbox with the link must not get the code as well. @throws Problem `unprocessable` */
export function requireSecondMailbox(
  { codes, letters }: { codes: Addresses; letters: Addresses },
  pointer: string,
): void {
  const others = new Set(mailboxesOf(letters));
  if (!mailboxesOf(codes).some((each) => others.has(each))) return;
  const message =
    'Enter another mailbox than the one that gets the letters or the emails about referrals. An address that differs only after a plus sign is the same mailbox';
  throw new Problem(unprocessable, 'The mailbox for codes cannot be used.', {
    errors: [{ pointer, message }],
  });
}

const mailboxesOf = (addresses: Addresses) => addresses.flatMap((each) => each ?? []).map(mailboxOf);
