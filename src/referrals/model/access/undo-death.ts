import type { Caller } from '../../../accounts/index.ts';
import { forbidden, Problem } from '../../../platform/problem/index.ts';
import type { Draft, Referral, ReporterIds } from '../referral.ts';
import { sidesOf } from './sides.ts';

// Beside the other rules of access, because `presentReferral` says to each reader whether they may undo a report of a death.

/** What was told of a person’s death about one referral, and which organisation confirmed it there. */
type Report = ReporterIds & { confirmedByOrganisationId?: string | null };

/**
 * Who may take back what was told of a death: the organisation that told it, or the person who told it for no organisation, and the
 * service that confirmed it. Anybody else with a referral of the person could undo what they know nothing about.
 */
export function mayUndoDeath(caller: Caller, referral: Referral | Draft, report: Report): boolean {
  const { reportedById, reportedByOrganisationId, confirmedByOrganisationId } = report;
  const sides = sidesOf(caller, referral);
  if (sides.length === 0) return false;
  const own = caller.organisation?.id;
  if (
    reportedByOrganisationId === null ? reportedById === caller.accountId : reportedByOrganisationId === own
  )
    return true;
  return sides.includes('provider') && own !== undefined && confirmedByOrganisationId === own;
}

/**
 * Another organisation reported it, which only takes a name and a birth date. Either side may say for its own referrals that the person is alive:
 * a false report must not stop help until an operator comes.
 */
export function mayUndoForOwn(
  caller: Caller,
  referral: Referral | Draft,
  { toldBy, confirmedAt = null }: { toldBy: string | null; confirmedAt?: Date | null },
): boolean {
  return toldBy === null && confirmedAt === null && sidesOf(caller, referral).length > 0;
}

/** An operator may, with a reason. */
export function mayUndoDeathAsOperator({ roles }: Caller): boolean {
  return roles.includes('operator');
}

/** @throws Problem `forbidden`, in words that do not say who told it. */
export function throwMayNotUndoDeath(): never {
  throw new Problem(
    forbidden,
    'Only the organisation that reported the death, a service that confirmed it, or an operator of the site can take it back; a side of a referral that others told of may, until it confirms it. If you know that the person is alive, tell the site’s clinical safety contact at once: an operator then takes it back.',
  );
}
