import type { Caller } from '../../../accounts/index.ts';
import type { Draft, Referral } from '../referral.ts';
import type { Side } from '../status/state-machine.ts';

/** A referral as somebody is about to see it. */
export type View = { caller: Caller; referral: Referral | Draft };

/** The fields of a referral that decide who may see it. */
type Ownership = Pick<Referral | Draft, 'referrerAccountId' | 'referrerOrganisationId' | 'requested_at'> & {
  service: Pick<NonNullable<Draft['service']>, 'organization_id'> | null;
};

/**
 * Which referrals a caller may see. The stores make SQL conditions of it, so that lists show the same as single reads.
 * An account sees the referrals of its organisation, and those that it made itself while it had no organisation. Somebody who
 * moves to another organisation leaves the referrals behind.
 */
export type Visibility = {
  /** Every referral that was sent: drafts are for those who make them. */
  readonly allSentReferrals: boolean;
  readonly madeByOrganisation: string | null;
  readonly madeByAccount: string | null;
  readonly receivedBy: string | null;
};

export function visibilityOf({ roles, organisation, accountId }: Caller): Visibility {
  const isReferrer = roles.includes('referrer');
  const isProvider = roles.includes('provider');
  return {
    allSentReferrals: roles.includes('operator'),
    madeByOrganisation: isReferrer ? (organisation?.id ?? null) : null,
    madeByAccount: isReferrer ? accountId : null,
    receivedBy: isProvider ? (organisation?.libraryOrganizationId ?? null) : null,
  };
}

/** The sides of a referral that the caller is on: the referrer's, or once it is sent, the service's. */
export function sidesOf(caller: Caller, referral: Ownership): Side[] {
  const { madeByOrganisation, madeByAccount, receivedBy } = visibilityOf(caller);
  const isSame = (own: string | null, theirs: string | null | undefined) => own !== null && own === theirs;
  const sides: Side[] = [];
  if (
    isSame(madeByOrganisation, referral.referrerOrganisationId) ||
    (referral.referrerOrganisationId === null && isSame(madeByAccount, referral.referrerAccountId))
  ) {
    sides.push('referrer');
  }
  if (referral.requested_at !== null && isSame(receivedBy, referral.service?.organization_id))
    sides.push('provider');
  return sides;
}

/**
 * The side for which a caller reads, writes and corrects. Somebody on both does so for the referrer, but takes an action for the service:
 * `actingSide` in state-machine.ts.
 */
export function writingSide(sides: readonly Side[]): Side | undefined {
  return sides.includes('referrer') ? 'referrer' : sides[0];
}

/** The two sides see their referrals, and operators every referral that was sent; `presentReferral` decides how much. */
export function canSee(caller: Caller, referral: Ownership): boolean {
  if (sidesOf(caller, referral).length > 0) return true;
  return referral.requested_at !== null && visibilityOf(caller).allSentReferrals;
}
