import { addToWorklist } from '../../src/delivery/model/worklist-store.ts';
import { inTransaction } from '../../src/platform/database/index.ts';
import type { Platform } from '../../src/platform/platform.ts';

/** Puts a delivery on the operators' worklist, as if its receiver's address did not exist. */
export function listAsFailed({ db, clock }: Platform, deliveryId: string): Promise<void> {
  const row = { deliveryId, kind: 'failed', reason: 'No such address.' } as const;
  return inTransaction(db, (trx) => addToWorklist(trx, { ...row, at: clock.now() }));
}
