import type { Caller } from '../accounts/index.ts';
import type { Referral } from './referral.ts';
import type { Side } from './state-machine.ts';

type Owners = Pick<Referral, 'referrerAccountId' | 'referrerOrganisationId' | 'service'>;

/** On which sides of a referral the caller stands: it made it, or answers for its service. */
export function sidesOf(caller: Caller, referral: Owners): Side[] {
  const sides: Side[] = [];
  const { organisation } = caller;
  const sameOrganisation = organisation !== null && organisation.id === referral.referrerOrganisationId;
  const sameAccount = caller.accountId === referral.referrerAccountId;
  if (caller.roles.includes('referrer') && (sameOrganisation || sameAccount)) sides.push('referrer');
  const answersFor = organisation?.libraryOrganizationId ?? null;
  if (
    caller.roles.includes('provider') &&
    answersFor !== null &&
    answersFor === referral.service.organization_id
  ) {
    sides.push('provider');
  }
  return sides;
}

/** An operator sees every referral's state and delivery; the two sides see all of theirs. */
export function maySee(caller: Caller, referral: Owners): boolean {
  return caller.roles.includes('operator') || sidesOf(caller, referral).length > 0;
}

/** Who the person is and what they need is for the two sides alone. */
export function maySeeContent(caller: Caller, referral: Owners): boolean {
  return sidesOf(caller, referral).length > 0;
}
