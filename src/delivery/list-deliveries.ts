import { actorOf, type Caller } from '../accounts/index.ts';
import { recordAudit } from '../audit/index.ts';
import { inTransaction } from '../platform/database/index.ts';
import type { Platform } from '../platform/platform.ts';
import {
  authorise,
  findServicesNotToName,
  isServiceHidden,
  notShown,
  notShownHere,
} from '../referrals/index.ts';
import { type ListedDelivery, listDeliveriesOf } from './model/deliveries-store.ts';

/**
 * The deliveries of a referral, oldest first. The reason of a suppressed delivery shows what the person agreed to, so an
 * operator sees it only after opening the referral.
 * @throws Problem `not-found`, including for a referral that the caller may not see.
 */
export async function listDeliveries(
  deps: Platform,
  caller: Caller,
  referralId: string,
  ipAddress: string,
): Promise<ListedDelivery[]> {
  const at = deps.clock.now();
  return inTransaction(deps.db, async (trx) => {
    const { referral, sides, gaveReason } = await authorise(trx, caller, referralId, at);
    await recordAudit(trx, {
      at,
      actor: actorOf(caller, ipAddress),
      action: 'referral.deliveries_read',
      subject: { type: 'referral', id: referral.id },
    });
    const found = await listDeliveriesOf(trx, referral.id);
    const isHidden = await isServiceHidden(trx, { caller, referral });
    const { names } = await findServicesNotToName(trx, { caller, referral });
    const deliveries = isHidden
      ? found.map((each) => withoutService(each))
      : found.map((each) => (namesOneOf(names, each) ? withoutService(each, notShownHere) : each));
    if (sides.length > 0 || gaveReason) return deliveries;
    return deliveries.map((each) => (each.status === 'suppressed' ? { ...each, detail: null } : each));
  });
}

/** Removes words that name the service, such as “It is in the list of referrals of the refuge”. */
function withoutService(delivery: ListedDelivery, instead = notShown): ListedDelivery {
  if (delivery.leg !== 'service') return delivery;
  return {
    ...delivery,
    detail: delivery.detail === null ? null : instead,
    attempts: delivery.attempts.map((attempt) => ({ ...attempt, detail: instead })),
  };
}

/** The referral was transferred from one of these services, which has become sensitive since. */
function namesOneOf(names: ReadonlySet<string>, { detail, attempts }: ListedDelivery): boolean {
  const texts = [detail, ...attempts.map((attempt) => attempt.detail)];
  return [...names].some((name) => texts.some((text) => text?.includes(name)));
}
