import type { Trx } from '../../platform/database/index.ts';
import { type DeliveriesToSuppress, suppressDeliveries } from './deliveries-store.ts';
import { resolveUndelivered } from './undelivered-store.ts';
import { whyNotSent } from './why-not-sent.ts';

/** Stops deliveries that were not sent yet. Nobody has anything to do about them any more. */
export async function suppressAndResolve(
  trx: Trx,
  referralId: string,
  unsent: DeliveriesToSuppress,
): Promise<void> {
  for (const id of await suppressDeliveries(trx, referralId, unsent))
    await resolveUndelivered(trx, id, unsent.at);
}

/** Stops everything to the practice that still waits or could be tried again. */
export async function stopTellingPractice(trx: Trx, referralId: string, at: Date): Promise<void> {
  const purposes = ['referral', 'outcome'] as const;
  await suppressAndResolve(trx, referralId, {
    leg: 'gp_practice',
    purposes,
    reason: whyNotSent.notAgreed,
    at,
  });
}
