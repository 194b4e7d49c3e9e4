import { actorOf, type Caller } from '../accounts/index.ts';
import { recordAudit } from '../audit/index.ts';
import { inTransaction } from '../platform/database/index.ts';
import { isUuid } from '../platform/ids/index.ts';
import type { Platform } from '../platform/platform.ts';
import { notFound, Problem } from '../platform/problem/index.ts';
import { findReferralOrDraft, maySee } from '../referrals/index.ts';
import { type ListedDelivery, listDeliveriesOf } from './store.ts';

/**
 * What has become of telling the service and the practice of a referral, oldest first.
 * @throws Problem `not-found`, also for a referral that is not the caller's to see.
 */
export async function listDeliveries(
  deps: Platform,
  caller: Caller,
  referralId: string,
  address: string,
): Promise<ListedDelivery[]> {
  return inTransaction(deps.db, async (trx) => {
    const referral = isUuid(referralId) ? await findReferralOrDraft(trx, referralId) : undefined;
    if (!referral || !maySee(caller, referral)) throw new Problem(notFound);
    await recordAudit(trx, {
      at: deps.clock.now(),
      actor: actorOf(caller, address),
      action: 'referral.deliveries_read',
      subject: { type: 'referral', id: referral.id },
    });
    return listDeliveriesOf(trx, referral.id);
  });
}
