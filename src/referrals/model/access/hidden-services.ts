import type { Caller } from '../../../accounts/index.ts';
import type { Trx } from '../../../platform/database/index.ts';
import type { Draft, Referral } from '../referral.ts';
import { restrictedServiceName } from '../words.ts';
import { sidesOf } from './access.ts';
import { listSensitiveWithoutAction } from './hidden-services-store.ts';

type View = { caller: Caller; referral: Referral | Draft };

/**
 * The ids of the referrals whose service these callers may not see. Who uses a sensitive service is known to the person who referred
 * them and to its staff; a colleague, or an operator, learns which service it is once they have acted on the referral.
 */
export async function findHiddenServices(trx: Trx, views: readonly View[]): Promise<ReadonlySet<string>> {
  const candidates = views.filter(
    ({ caller, referral }) =>
      referral.requested_at !== null &&
      referral.referrerAccountId !== caller.accountId &&
      !sidesOf(caller, referral).includes('provider'),
  );
  const hidden = new Set<string>();
  for (const accountId of new Set(candidates.map(({ caller }) => caller.accountId))) {
    const theirs = candidates.filter(({ caller }) => caller.accountId === accountId);
    const ids = theirs.map(({ referral }) => referral.id);
    for (const id of await listSensitiveWithoutAction(trx, ids, accountId)) hidden.add(id);
  }
  return hidden;
}

/** What stands in the place of the service. */
export const restrictedService = {
  service_id: null,
  service: { name: restrictedServiceName, organization_id: null, organization_name: null },
} as const;

type WithOrganisation = { actorOrganisation?: string | null; authorOrganisation?: string | null };

/**
 * Items that people wrote, without the organisation of the service's staff if its name is hidden from the reader: that would tell
 * which service it is. The names of the people stay.
 */
export async function hideOrganisations<T extends WithOrganisation>(
  trx: Trx,
  view: View,
  items: readonly T[],
): Promise<T[]> {
  if ((await findHiddenServices(trx, [view])).size === 0) return [...items];
  const own = view.caller.organisation?.name ?? null;
  return items.map((item) => ({
    ...item,
    ...('actorOrganisation' in item && item.actorOrganisation !== own && { actorOrganisation: null }),
    ...('authorOrganisation' in item && item.authorOrganisation !== own && { authorOrganisation: null }),
  }));
}
