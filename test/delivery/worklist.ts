import type { DeliveryDeps } from '../../src/delivery/index.ts';
import { recordAttempt, startAttempt } from '../../src/delivery/model/attempts-store.ts';
import { addUndelivered, resolveUndelivered } from '../../src/delivery/model/undelivered-store.ts';
import { deliver } from '../../src/delivery/send/deliver.ts';
import { inTransaction } from '../../src/platform/database/index.ts';
import type { Platform } from '../../src/platform/platform.ts';

/** Puts a delivery on the operators' worklist, as if its receiver's address did not exist. */
export function listAsFailed({ db, clock }: Platform, deliveryId: string): Promise<void> {
  const row = { deliveryId, kind: 'failed', reason: 'No such address.' } as const;
  return inTransaction(db, (trx) => addUndelivered(trx, { ...row, at: clock.now() }));
}

/** Takes it off again, as if the message had arrived after all. */
export function unlist({ db, clock }: Platform, deliveryId: string): Promise<void> {
  return inTransaction(db, (trx) => resolveUndelivered(trx, deliveryId, clock.now()));
}

/** The mail server refuses the message for good, and the delivery has no other channel. */
export async function refuseByEmail(deps: DeliveryDeps, deliveryId: string, detail: string): Promise<void> {
  const at = deps.clock.now();
  const started = await startAttempt(deps.db, deliveryId, 'email', null, at);
  const ended = {
    channel: 'email',
    outcome: 'failed',
    detail,
    externalId: null,
    followUpAt: null,
    at,
  } as const;
  await inTransaction(deps.db, (trx) =>
    recordAttempt(trx, { ...ended, deliveryId, number: started!.number }, 'queued'),
  );
  await deliver(deps, { delivery_id: deliveryId });
}
