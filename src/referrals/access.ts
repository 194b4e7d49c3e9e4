import type { Caller } from '../accounts/index.ts';
import type { Draft, Referral } from './referral.ts';
import type { Side } from './state-machine.ts';

type Owners = Pick<
  Referral | Draft,
  'referrerAccountId' | 'referrerOrganisationId' | 'service' | 'requested_at'
>;

/**
 * By what a caller sees referrals: every one that was sent, or those that were made by its organisation (by its account,
 * where that had none: whoever moves to another organisation leaves the referrals behind), and those that its
 * organisation received. The stores turn the same into conditions, so that lists show what single
 * reads do.
 */
export type WaysOfSeeing = {
  readonly everything: boolean;
  readonly madeByOrganisation: string | null;
  readonly madeByAccount: string | null;
  readonly receivedBy: string | null;
};

export function waysOfSeeing({ roles, organisation, accountId }: Caller): WaysOfSeeing {
  const made = roles.includes('referrer');
  const received = roles.includes('provider');
  return {
    everything: roles.includes('operator'),
    madeByOrganisation: made ? (organisation?.id ?? null) : null,
    madeByAccount: made ? accountId : null,
    receivedBy: received ? (organisation?.libraryOrganizationId ?? null) : null,
  };
}

/** On which sides of a referral the caller stands: it made it, or answers for its service, once that was asked. */
export function sidesOf(caller: Caller, referral: Owners): Side[] {
  const { madeByOrganisation, madeByAccount, receivedBy } = waysOfSeeing(caller);
  const same = (own: string | null, theirs: string | null | undefined) => own !== null && own === theirs;
  const sides: Side[] = [];
  if (
    same(madeByOrganisation, referral.referrerOrganisationId) ||
    (referral.referrerOrganisationId === null && same(madeByAccount, referral.referrerAccountId))
  ) {
    sides.push('referrer');
  }
  if (referral.requested_at !== null && same(receivedBy, referral.service?.organization_id))
    sides.push('provider');
  return sides;
}

/** An operator sees every referral's state and delivery; the two sides see all of theirs; a draft is its makers' alone. */
export function maySee(caller: Caller, referral: Owners): boolean {
  if (sidesOf(caller, referral).length > 0) return true;
  return referral.requested_at !== null && waysOfSeeing(caller).everything;
}
