import type { Connection } from '../../platform/connections/index.ts';

/** Until an operator has checked what was sent between a backup and the loss. */
export const untilRestoreChecked = 'check-first';
/** An operator held the message after a restore. It stays undelivered until somebody retries or resolves it. */
export const untilOperatorDecides = 'kept-after-restore';
/** Until the referrer has had time to say that an ending by link (declined, completed, closed) was a mistake. */
export const untilReferrerChecked = 'referrer-check';
/** Until the service has had time to take back its decline. */
export const untilDeclineIsFinal = 'decline-may-be-undone';

/** Until an address of the receiver is confirmed. */
type HeldByAddress = `address ${string}`;

/** What holds a delivery (`held_by`): a connection that refuses this site, an address, or somebody who has to decide. */
export type HeldBy =
  | Connection
  | HeldByAddress
  | typeof untilRestoreChecked
  | typeof untilOperatorDecides
  | typeof untilReferrerChecked
  | typeof untilDeclineIsFinal;

export function heldByAddress(receiver: string): HeldByAddress {
  return `address ${receiver}`;
}

export function isHeldByAddress(heldBy: string | null): heldBy is HeldByAddress {
  return heldBy?.startsWith('address ') ?? false;
}

/**
 * Whether the delivery waits for a person, though its job may still be in the queue from before. The check after a restore is not among
 * these: it holds everything, and `stepToWait` (send/deliver.ts) looks for it.
 */
export function waitsForDecision(heldBy: HeldBy | null): boolean {
  return heldBy === untilOperatorDecides || heldBy === untilReferrerChecked || heldBy === untilDeclineIsFinal;
}
