import type { RoomsAbove } from '../../referrals/index.ts';
import { deleteCopiesOf } from './copies-store.ts';

/** Deletes the copies of a record in the transaction that erases a referral in them, and passes every change to `inner`. */
export function withRecordCopies(inner: RoomsAbove): RoomsAbove {
  return {
    ...inner,
    async onRecordChange(trx, change) {
      if (change.kind === 'erased') await deleteCopiesOf(trx, change.referral.id);
      await inner.onRecordChange(trx, change);
    },
  };
}
