import type { ReferralListener } from '../referrals/index.ts';
import { deleteSelfReferralsOf } from './self-referrals-store.ts';

/** Deletes a self-referral when the referral that was made from it is erased. */
export const selfReferralListener: ReferralListener = {
  async onRecordChange(trx, change) {
    if (change.kind === 'erased') await deleteSelfReferralsOf(trx, change.referral.id);
  },
};
