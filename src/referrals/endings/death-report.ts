import { actorOf, type Caller } from '../../accounts/index.ts';
import { type AuditAction, recordAudit } from '../../audit/index.ts';
import { holdTaskLock, type Trx } from '../../platform/database/index.ts';
import { Problem } from '../../platform/problem/index.ts';
import { authorise, lockForAnyReader, lockForSides, requireVersion } from '../model/access/access.ts';
import { recordAccess } from '../model/access/looks.ts';
import { mayUndoDeathAsOperator } from '../model/access/may-undo-death.ts';
import { sidesOf } from '../model/access/sides.ts';
import { historyActorOf, siteAsHistoryActor } from '../model/actors/authors.ts';
import type { ReferralDeps } from '../model/deps.ts';
import { wrongState } from '../model/problems.ts';
import type { Referral } from '../model/referral.ts';
import { lockReferral, updateContent } from '../model/referrals-store.ts';
import { findReportRow, listReportRows } from './deaths-store.ts';

// What reporting a death, confirming it and taking it back have in common.

/** `version` is optional; if sent, it must be current. */
export type DeathRequest = { referralId: string; version?: number | undefined; ipAddress: string };

/**
 * Locks a referral with the report of its person's death. A report is confirmed or taken back by one transaction at
 * a time, for all of the person's referrals. Otherwise a referral could be ended after the report was taken back. The
 * referrals are locked in the order of their ids, as when the report was made, so that there is no deadlock.
 * @throws Problem `version-stale`, `wrong-state` if nobody reported a death.
 */
export async function lockWithReport(
  trx: Trx,
  deps: ReferralDeps,
  caller: Caller,
  {
    referralId,
    version,
    forOperatorsToo = false,
  }: Pick<DeathRequest, 'referralId' | 'version'> & { forOperatorsToo?: boolean },
  at: Date,
) {
  // Refuses strangers before anything is locked.
  await authorise(trx, caller, referralId, at);
  const reportRow = await findReportRow(trx, referralId);
  if (reportRow) await holdTaskLock(trx, `death report ${reportRow.reportId}`);
  const reports = reportRow ? await listReportRows(trx, reportRow.reportId) : [];
  for (const each of reports) await lockReferral(trx, each.referralId);
  const locked =
    forOperatorsToo && mayUndoDeathAsOperator(caller)
      ? await lockForAnyReader(trx, caller, referralId, at)
      : await lockForSides(trx, caller, referralId, at);
  await recordAccess(trx, deps, caller, locked, at);
  if (version !== undefined) requireVersion(locked.referral, version);
  const report = reports.find((each) => each.referralId === referralId);
  if (!report) throw new Problem(wrongState, 'No death has been reported for this person.');
  return { ...locked, report, reports };
}

/** A side of one referral must not learn from its history who works with the person elsewhere; an operator works with nobody. */
export function historyActorFor(caller: Caller, referral: Referral) {
  if (sidesOf(caller, referral).length > 0) return historyActorOf(caller);
  return caller.organisation === null && caller.roles.includes('operator')
    ? historyActorOf(caller)
    : siteAsHistoryActor;
}

/** Writes a line of the referral's history, and an event for the client systems of both sides. What the referral says stays. */
export async function recordDeathEvent(
  trx: Trx,
  deps: ReferralDeps,
  caller: Caller,
  before: Referral,
  kind: 'death-reported' | 'death-confirmed' | 'death-undone',
  at: Date,
): Promise<Referral> {
  const actor = historyActorFor(caller, before);
  const referral = await updateContent(trx, before, before, { details: { kind, changes: [] }, actor, at });
  const who = { by: null, actorId: caller.accountId };
  await deps.roomsAbove.onContentChange(trx, { referral, before, kind, ...who, at });
  return referral;
}

export function recordDeathAudit(
  trx: Trx,
  caller: Caller,
  {
    referralId,
    action,
    reason,
    ipAddress,
    at,
  }: {
    referralId: string;
    action: AuditAction;
    reason?: string | undefined;
    ipAddress: string;
    at: Date;
  },
): Promise<unknown> {
  const subject = { type: 'referral', id: referralId };
  return recordAudit(trx, {
    at,
    actor: actorOf(caller, ipAddress),
    action,
    subject,
    ...(reason !== undefined && { details: { reason } }),
  });
}
