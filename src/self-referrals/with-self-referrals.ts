import type { RoomsAbove } from '../referrals/index.ts';
import { deleteSelfReferralsOf } from './self-referrals-store.ts';

/** Deletes a self-referral when the referral that was made from it is erased. */
export function withSelfReferrals(inner: RoomsAbove): RoomsAbove {
  return {
    ...inner,
    async onRecordChange(trx, change) {
      if (change.kind === 'erased') await deleteSelfReferralsOf(trx, change.referral.id);
      await inner.onRecordChange(trx, change);
    },
  };
}
