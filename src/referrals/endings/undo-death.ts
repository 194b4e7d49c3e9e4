import { type Caller, requireCallerIsPerson } from '../../accounts/index.ts';
import { inRetriedTransaction, type Trx } from '../../platform/database/index.ts';
import { addJobs } from '../../platform/jobs/index.ts';
import { requireReason } from '../../platform/reason.ts';
import {
  mayNotUndoDeathProblem,
  mayResumeOwn,
  mayUndoDeath,
  mayUndoDeathAsOperator,
} from '../model/access/may-undo-death.ts';
import { requireAnonymousReason } from '../model/access/operator-reason.ts';
import { watchUntilOpened } from '../model/attention/watches.ts';
import type { ReferralDeps } from '../model/deps.ts';
import { loadAndPresent, type PresentedReferral } from '../model/presentation/present.ts';
import { type Draft, isSent, type Referral } from '../model/referral.ts';
import { lockReferral, updateContent, updateStatus } from '../model/referrals-store.ts';
import {
  type DeathRequest,
  historyActorFor,
  lockWithReport,
  recordDeathAudit,
  recordDeathEvent,
} from './death-report.ts';
import {
  type DeathReportRow,
  restorePrompts,
  setDeathReported,
  setReportRowUndone,
  setReportUndone,
} from './deaths-store.ts';
import { tellOperatorsOfPersonAlive } from './tell-operators.ts';

/**
 * Takes a reported death back, because the person is alive. Every referral that waited goes on, every one that was ended is as it was before,
 * and those who had a letter get one that replaces it. The organisation that reported the death may do this, a service that confirmed it,
 * and operators, who give a reason. If another organisation reported it, either side may do it for its own referrals, until it has confirmed
 * the death.
 * @throws Problem `not-found`, `forbidden`, `needs-person`, `version-stale`, `wrong-state` if nobody reported a death, `unprocessable` for an
 * operator without a reason, `referral-restricted`, `referral-erased`.
 */
export async function undoDeath(
  deps: ReferralDeps,
  caller: Caller,
  { referralId, version, reason: typed, ipAddress }: DeathRequest & { reason?: string | undefined },
): Promise<PresentedReferral> {
  requireCallerIsPerson(caller);
  const at = deps.clock.now();
  return inRetriedTransaction(deps.db, async (trx) => {
    const request = { referralId, version, forOperatorsToo: true };
    const { referral, report: own, reports } = await lockWithReport(trx, deps, caller, request, at);
    if (mayResumeOwnOnly(caller, referral, own))
      await resumeOwnReferrals(trx, deps, caller, { reports, ipAddress, at });
    else {
      const reason = requireMayUndo(caller, referral, own, typed);
      await undoWholeReport(trx, deps, caller, { reports, reason, ipAddress, at });
    }
    // Those who were warned that the person may have died need not ask any more.
    await addJobs(trx, 'update-prompts', [{}]);
    return loadAndPresent(trx, deps, caller, (await lockReferral(trx, referral.id)) as Referral, at);
  });
}

/** The caller’s own referrals go on, and the operators are told. The report stays for the others. */
async function resumeOwnReferrals(
  trx: Trx,
  deps: ReferralDeps,
  caller: Caller,
  { reports, ipAddress, at }: { reports: readonly DeathReportRow[]; ipAddress: string; at: Date },
): Promise<void> {
  const resumed: Referral[] = [];
  for (const report of reports) {
    const locked = await lockReferral(trx, report.referralId);
    if (!locked || !isSent(locked) || !mayResumeOwnOnly(caller, locked, report)) continue;
    await resumeOwnReferral(trx, deps, caller, locked, { report, ipAddress, at });
    resumed.push(locked);
  }
  await tellOperatorsOfPersonAlive(trx, deps, resumed);
}

/** Every referral that waited goes on, and every one that was ended is as it was before. */
async function undoWholeReport(
  trx: Trx,
  deps: ReferralDeps,
  caller: Caller,
  {
    reports,
    reason,
    ipAddress,
    at,
  }: { reports: readonly DeathReportRow[]; reason: string | undefined; ipAddress: string; at: Date },
): Promise<void> {
  for (const report of reports) {
    const locked = await lockReferral(trx, report.referralId);
    if (!locked || !isSent(locked)) continue;
    await setDeathReported(trx, locked.id, null);
    if (report.confirmedAt === null) await recordDeathEvent(trx, deps, caller, locked, 'death-undone', at);
    else if (locked.status_reason?.code === 'died')
      await restoreBeforeDeath(trx, deps, caller, locked, report, at);
    await deps.roomsAbove.onDeathHoldLifted(trx, locked.id);
    const action = 'referral.death_undone';
    await recordDeathAudit(trx, caller, { referralId: locked.id, action, reason, ipAddress, at });
  }
  await setReportUndone(trx, reports[0]!.reportId, at);
}

function mayResumeOwnOnly(caller: Caller, referral: Referral | Draft, report: DeathReportRow): boolean {
  if (mayUndoDeath(caller, referral, report) || mayUndoDeathAsOperator(caller)) return false;
  return mayResumeOwn(caller, referral, report);
}

/**
 * One of the caller’s own referrals goes on. The organisation that reported the death, and those of the person's other referrals, are
 * not told: that would tell them where the person gets help.
 */
async function resumeOwnReferral(
  trx: Trx,
  deps: ReferralDeps,
  caller: Caller,
  referral: Referral,
  { report, ipAddress, at }: { report: DeathReportRow; ipAddress: string; at: Date },
): Promise<void> {
  await setDeathReported(trx, referral.id, null);
  await setReportRowUndone(trx, report.rowId, at);
  await recordDeathEvent(trx, deps, caller, referral, 'death-undone', at);
  await deps.roomsAbove.onDeathHoldLifted(trx, referral.id);
  const action = 'referral.death_undone';
  await recordDeathAudit(trx, caller, { referralId: referral.id, action, ipAddress, at });
}

/** @returns why an operator takes it back. @throws Problem `forbidden`, `unprocessable`. */
function requireMayUndo(
  caller: Caller,
  referral: Referral | Draft,
  report: DeathReportRow,
  typed: string | undefined,
): string | undefined {
  if (mayUndoDeath(caller, referral, report)) return undefined;
  if (!mayUndoDeathAsOperator(caller)) throw mayNotUndoDeathProblem();
  const reason = requireReason(typed);
  requireAnonymousReason(reason, referral.content);
  return reason;
}

/** Puts a referral back to what it was before the death was confirmed, and tells those who had a letter. */
async function restoreBeforeDeath(
  trx: Trx,
  deps: ReferralDeps,
  caller: Caller,
  ended: Referral,
  { rowId, statusBefore, reasonBefore, nextDateBefore, expectedDateBefore }: DeathReportRow,
  at: Date,
): Promise<void> {
  const back = {
    reason: reasonBefore,
    outcome: null,
    expectedDate: expectedDateBefore,
    nextDate: nextDateBefore,
  };
  const actor = historyActorFor(caller, ended);
  const restored = await updateStatus(trx, ended, { ...back, to: statusBefore!, at }, actor);
  const death_mistake = { told_at: ended.versionAt.toISOString(), corrected_at: at.toISOString() };
  const content = { ...restored.content, death_mistake };
  const details = { kind: 'death-undone' as const, changes: [] };
  const reopened = await updateContent(trx, restored, { ...restored, content }, { details, actor, at });
  await restorePrompts(trx, rowId);
  // The watch may have been dropped while the referral had ended.
  await watchUntilOpened(trx, deps.settings, [reopened], at);
  // Both get a new letter, because their last one said the referral had ended.
  const who = { by: null, actorId: caller.accountId };
  const change = { referral: reopened, before: ended, kind: 'reopened', ...who, at } as const;
  await deps.roomsAbove.onContentChange(trx, change);
}
