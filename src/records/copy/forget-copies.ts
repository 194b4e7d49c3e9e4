import type { ReferralListener } from '../../referrals/index.ts';
import { deleteCopiesOf } from './copies-store.ts';

/** Deletes the copies of a record in the transaction that erases a referral in them, and passes every change to `listener`. */
export function withRecordCopies(listener: ReferralListener): ReferralListener {
  return {
    ...listener,
    async onRecordChange(trx, change) {
      if (change.kind === 'erased') await deleteCopiesOf(trx, change.referral.id);
      await listener.onRecordChange(trx, change);
    },
  };
}
