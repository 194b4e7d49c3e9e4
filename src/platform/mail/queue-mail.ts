import type { Trx } from '../database/index.ts';
import type { Platform } from '../platform.ts';

export type Mail = { readonly to: string; readonly subject: string; readonly text: string };

/** Queues an e-mail in the transaction that makes it true: it is sent if and only if that commits. */
export async function queueMail(_trx: Trx, _deps: Platform, _mail: Mail): Promise<void> {
  // H3 writes this.
}
