import type { ReferralListener } from '../referrals/index.ts';
import { deleteOfReferral } from './self-referrals-store.ts';

/** Deletes what somebody sent who referred themselves, when the referral that came of it is erased. */
export function withSelfReferrals(listener: ReferralListener): ReferralListener {
  return {
    ...listener,
    async onRecordChange(trx, change) {
      if (change.kind === 'erased') await deleteOfReferral(trx, change.referral.id);
      await listener.onRecordChange(trx, change);
    },
  };
}
