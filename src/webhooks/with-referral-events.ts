import { recordEvents } from '../platform/events/index.ts';
import type { ReferralListener } from '../referrals/index.ts';
import { typeOfStatus } from './event-types.ts';

/** Hears of every change of a referral before `listener` does, and writes the event down in its transaction. */
export function withReferralEvents(listener: ReferralListener): ReferralListener {
  return {
    ...listener,
    async onChange(trx, change) {
      const { id, status } = change.referral;
      // A draft that is thrown away was never anybody else's to know of.
      const type = change.from === 'draft' && status !== 'requested' ? undefined : typeOfStatus(status);
      const resource = { type: 'referral', id, path: `/api/referrals/${id}` };
      if (type) await recordEvents(trx, [{ type, resource, referralId: id }], change.at);
      await listener.onChange(trx, change);
    },
  };
}
