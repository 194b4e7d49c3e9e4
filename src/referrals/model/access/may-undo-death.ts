import type { Caller } from '../../../accounts/index.ts';
import { forbidden, Problem } from '../../../platform/problem/index.ts';
import type { Draft, Referral, ReporterIds } from '../referral.ts';
import { sidesOf } from './sides.ts';

// Beside the other rules of access, because `presentReferral` says to each reader whether they may undo a report of a death.

/** A report of a person’s death as one referral has it, and which organisation confirmed it there. */
type DeathReport = ReporterIds & { confirmedByOrganisationId?: string | null };

/**
 * Who may take back a report of a death: the organisation that reported it, or the person who did so without an organisation, and the
 * service that confirmed it. Others with a referral of the person may know nothing about it.
 */
export function mayUndoDeath(caller: Caller, referral: Referral | Draft, report: DeathReport): boolean {
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
 * If another organisation reported it (then `toldBy` is null), either side may say that the person is alive, for its own referral and until
 * somebody confirms it. Such a report takes only a name and a birth date, and a false one must not stop help until an operator comes.
 */
export function mayResumeOwn(
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

/** `forbidden`, in words that do not say who reported it. */
export function mayNotUndoDeathProblem(): Problem {
  return new Problem(
    forbidden,
    'Only the organisation that reported the death, a service that confirmed it, or an operator of the site can take it back. If another organisation reported it, either side of the referral may too, until it has confirmed it. If you know that the person is alive, tell the site’s clinical safety contact at once: an operator then takes it back.',
  );
}
