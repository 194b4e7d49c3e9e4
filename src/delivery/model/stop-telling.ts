import type { Trx } from '../../platform/database/index.ts';
import type { Referral } from '../../referrals/index.ts';
import { type DeliveriesToSuppress, suppressDeliveries } from './store.ts';
import { resolveWorklistRow } from './worklist-store.ts';

/** The practice is told only after a clear yes. */
export function mayTellPractice(share: Referral['content']['consent']['share_with_gp']): boolean {
  return share === true || share === 'codes_only';
}

export const notAgreedReason = 'The patient did not agree that their GP practice is told.';

/** From this moment nothing more goes to the practice, whatever still waits or could be tried again. */
export async function stopTellingPractice(trx: Trx, referralId: string, at: Date): Promise<void> {
  const purposes = ['referral', 'outcome'] as const;
  await suppressAndResolve(trx, referralId, {
    leg: 'gp_practice',
    purposes,
    reason: notAgreedReason,
    at,
  });
}

/** Stops deliveries that were not sent yet. Nobody has anything to do about them any more. */
export async function suppressAndResolve(
  trx: Trx,
  referralId: string,
  unsent: DeliveriesToSuppress,
): Promise<void> {
  for (const id of await suppressDeliveries(trx, referralId, unsent))
    await resolveWorklistRow(trx, id, unsent.at);
}
