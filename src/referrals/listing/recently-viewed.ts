import type { Caller } from '../../accounts/index.ts';
import { listLastSubjects } from '../../audit/index.ts';
import { hasHiddenService } from '../model/access/hide-sensitive-services.ts';
import type { ReferralDeps } from '../model/deps.ts';
import { type ListedReferral, listVisibleReferrals } from './list-referrals.ts';

/**
 * The referrals of the caller’s organisation that they themselves opened last, by the audit. Those whose service they may not know are
 * left out, and so are those that nobody may use.
 */
export async function listRecentlyViewed(
  deps: ReferralDeps,
  caller: Caller,
  { limit, ipAddress }: { limit: number; ipAddress: string },
): Promise<ListedReferral[]> {
  const { accountId } = caller;
  const ids = await listLastSubjects(deps.db, { accountId, action: 'referral.read', limit });
  if (ids.length === 0) return [];
  const { items } = await listVisibleReferrals(deps, caller, { direction: 'made', ids, limit, ipAddress });
  return items
    .filter(({ referral }) => !referral.restricted && !referral.erased_at && !hasHiddenService(referral))
    .toSorted((one, other) => ids.indexOf(one.referral.id) - ids.indexOf(other.referral.id));
}
