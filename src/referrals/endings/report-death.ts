import { actorOf, type Caller, requireCallerIsPerson } from '../../accounts/index.ts';
import { type AuditAction, recordAudit } from '../../audit/index.ts';
import { holdTaskLock, inRetriedTransaction, type Trx } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids/index.ts';
import { addJobs } from '../../platform/jobs/index.ts';
import { Problem, unprocessable } from '../../platform/problem/index.ts';
import { requireReason } from '../../platform/reason.ts';
import { onOneLine } from '../../platform/visible-text.ts';
import {
  type AuthorisedReferral,
  authorise,
  lockForAnyReader,
  lockForSides,
  requireVersion,
} from '../model/access/access.ts';
import { noteOpening } from '../model/access/looks.ts';
import { requireAnonymousReason } from '../model/access/operator-reason.ts';
import { sidesOf } from '../model/access/sides.ts';
import {
  mayUndoDeath,
  mayUndoDeathAsOperator,
  mayUndoForOwn,
  throwMayNotUndoDeath,
} from '../model/access/undo-death.ts';
import { historyActorOf, siteAsHistoryActor } from '../model/actors/authors.ts';
import { deletePrompts } from '../model/attention/prompts-store.ts';
import { watchDeath, watchUntilOpened } from '../model/attention/watches.ts';
import { endReferral } from '../model/change-status.ts';
import type { ReferralDeps } from '../model/deps.ts';
import { londonDate } from '../model/due/dates.ts';
import {
  hasDeathWarningForOperators,
  saveDeathWarnings,
} from '../model/person/death/death-warnings-store.ts';
import { loadAndPresent, type PresentedReferral } from '../model/presentation/present.ts';
import { deathReportInWords } from '../model/presentation/words.ts';
import { wrongState } from '../model/problems.ts';
import { type Draft, isSent, openStatuses, type Referral } from '../model/referral.ts';
import { possibleEnding } from '../model/status/state-machine.ts';
import { lockReferral, updateContent, updateStatus } from '../model/store.ts';
import {
  type DeathReportRow,
  findReportRow,
  insertReport,
  listReportRows,
  lockOpenReferralsOfPerson,
  lockPersonOfReferral,
  restorePrompts,
  saveDeathConfirmed,
  saveReportUndone,
  saveRowUndone,
  setDeathReported,
  wasTakenBackBefore,
} from './deaths-store.ts';
import {
  tellOperatorsOfPersonAlive,
  tellOperatorsOfRepeatedReport,
  tellOperatorsOfStoppedReferrals,
} from './tell-operators.ts';

/** `version` is optional; if sent, it must be current. */
export type DeathRequest = { referralId: string; version?: number | undefined; ipAddress: string };
type DeathStatement = { toldBy: string; date: string | null };

/**
 * Reports that the person has died. From this moment nothing is sent about any of their open referrals, of every organisation,
 * until somebody on a side of each confirms it or says that it was a mistake. A colleague from whom the service is hidden gives a reason
 * first, or reports it on another referral of the person.
 * @returns those that the caller may confirm
 * @throws Problem `not-found`, `forbidden`, `version-stale`, `wrong-state` if the referral is not open, `unprocessable` for a date
 * that is to come or before the person was born, `referral-restricted`, `referral-erased`.
 */
export async function reportDeath(
  deps: ReferralDeps,
  caller: Caller,
  { referralId, version, toldBy, date, ipAddress }: DeathRequest & DeathStatement,
): Promise<Referral[]> {
  const at = deps.clock.now();
  if (date !== null && date > londonDate(at))
    throw wrongDateProblem('must not be in the future', 'in-future');
  return inRetriedTransaction(deps.db, async (trx) => {
    const seen = await authorise(trx, caller, referralId, at);
    // Sending a draft locks the draft first and the person second, so to lock the person here would be a deadlock.
    if (!isSent(seen.referral)) throw notOpenProblem(seen.referral);
    await lockPersonOfReferral(trx, referralId);
    const open = await lockOpenReferralsOfPerson(trx, referralId);
    const locked = await lockToReport(trx, caller, referralId, at);
    const { referral, sides } = locked;
    if (sides.length > 0) await noteOpening(deps, trx, caller, locked, at);
    if (version !== undefined) requireVersion(referral, version);
    if (!isSent(referral) || !openStatuses.includes(referral.status)) throw notOpenProblem(referral);
    if (date !== null && date < referral.content.patient.birth_date)
      throw wrongDateProblem('must not be before the date of birth', 'too-early');
    const marked = await markDeathReported(deps, trx, caller, open, { toldBy, date, ipAddress, at });
    const shown = marked.length > 0 ? marked : open;
    return shown.filter((each) => sidesOf(caller, each).length > 0);
  });
}

/** For the two sides, and for an operator where a repeated report waits for one. */
async function lockToReport(trx: Trx, caller: Caller, id: string, at: Date): Promise<AuthorisedReferral> {
  const waitsForOperator = mayUndoDeathAsOperator(caller) && (await hasDeathWarningForOperators(trx, id));
  return waitsForOperator ? lockForAnyReader(trx, caller, id, at) : lockForSides(trx, caller, id, at);
}

/**
 * Marks the locked open referrals of a person who is said to have died. Those that were marked before stay as they are. If an earlier
 * report of the same organisation was taken back, the referrals of others go on until an operator has looked at the report. Otherwise one
 * false report after another could stop help.
 */
export async function markDeathReported(
  deps: ReferralDeps,
  trx: Trx,
  caller: Caller,
  open: readonly Referral[],
  { toldBy, date, ipAddress, at }: DeathStatement & { ipAddress: string; at: Date },
): Promise<Referral[]> {
  const reportId = newId(at.getTime());
  const isOfOthers = (each: Referral) => sidesOf(caller, each).length === 0;
  const isRepeated = !mayUndoDeathAsOperator(caller) && (await wasTakenBackBefore(trx, caller, open));
  const marked: Referral[] = [];
  const leftToOperators: Referral[] = [];
  for (const each of open) {
    if (await findReportRow(trx, each.id)) continue;
    if (isRepeated && isOfOthers(each)) {
      leftToOperators.push(each);
      continue;
    }
    // Another organisation’s referral must not say who knows the person elsewhere, nor that anybody does.
    const toldHere = isOfOthers(each) ? null : onOneLine(toldBy);
    const report = { reportId, referralId: each.id, reportedAt: at, toldBy: toldHere, date };
    await insertReport(trx, { ...report, rowId: newId(at.getTime()) }, historyActorOf(caller));
    await setDeathReported(trx, each.id, at);
    await watchDeath(trx, deps.settings, each, caller.accountId, at);
    marked.push(await recordDeathEvent(deps, trx, caller, each, 'death-reported', at));
    await recordDeathAudit(trx, caller, {
      referralId: each.id,
      action: 'referral.death_reported',
      ipAddress,
      at,
    });
  }
  // Anybody who knows a name and a birth date could report a death, so an operator is asked to look at once.
  const others = marked.filter(isOfOthers);
  if (others.length > 0 && !mayUndoDeathAsOperator(caller))
    await tellOperatorsOfStoppedReferrals(deps, trx, others);
  if (leftToOperators.length > 0) await leaveToOperators(deps, trx, { leftToOperators, open });
  // The job makes a prompt with an owner for each.
  if (marked.length > 0) await addJobs(trx, 'update-prompts', [{}]);
  return marked;
}

/** Each gets a prompt for the operators, who find out whether the person has died, and then report it themselves. */
async function leaveToOperators(
  deps: ReferralDeps,
  trx: Trx,
  { leftToOperators, open }: { leftToOperators: readonly Referral[]; open: readonly Referral[] },
): Promise<void> {
  const reported = await Promise.all(open.map(({ id }) => findReportRow(trx, id)));
  const reportId = reported.find((row) => row !== undefined)?.reportId;
  if (reportId !== undefined)
    for (const { id: referralId } of leftToOperators) {
      await deletePrompts(trx, referralId, ['may-have-died']);
      await saveDeathWarnings(trx, [{ referralId, reportId, side: 'operators' }]);
    }
  await addJobs(trx, 'update-prompts', [{}]);
  await tellOperatorsOfRepeatedReport(deps, trx, leftToOperators);
}

function notOpenProblem({ status }: Pick<Referral | Draft, 'status'>): Problem {
  const why = status === 'draft' ? 'nobody was told of it' : 'it has already ended';
  return new Problem(
    wrongState,
    `It is ${status}: ${why}, so nothing was done. Tell it for an open referral of the person.`,
  );
}

function wrongDateProblem(message: string, code: string): Problem {
  return new Problem(unprocessable, undefined, { errors: [{ pointer: '/date', message, code }] });
}

/**
 * Ends a referral of a person who has died. The messages that waited are not sent. A colleague from whom the service is hidden gives a
 * reason first.
 * @throws Problem `not-found`, `forbidden`, `needs-person`, `version-stale`, `wrong-state` if nobody reported a death or somebody confirmed it
 * before, `referral-restricted`, `referral-erased`.
 */
export async function confirmDeath(
  deps: ReferralDeps,
  caller: Caller,
  { referralId, version, ipAddress }: DeathRequest,
): Promise<PresentedReferral> {
  requireCallerIsPerson(caller);
  const at = deps.clock.now();
  return inRetriedTransaction(deps.db, async (trx) => {
    const { referral, sides, report } = await lockWithReport(deps, trx, caller, { referralId, version }, at);
    const ending = possibleEnding(['cancel', 'reject', 'fail'], referral.status, sides);
    if (report.confirmedAt !== null)
      throw new Problem(
        wrongState,
        `It is ${referral.status}, and somebody confirmed the death before: nothing was done.`,
      );
    await saveDeathConfirmed(trx, report.rowId, referral as Referral, { ...historyActorOf(caller), at });
    await setDeathReported(trx, referral.id, null);
    if (!ending) {
      // It ended while the report waited: what the practice has to know of that is sent now.
      await recordDeathEvent(deps, trx, caller, referral as Referral, 'death-confirmed', at);
      await deps.roomsAbove.onDeathHoldLifted(trx, referral.id);
      await recordDeathAudit(trx, caller, { referralId, action: 'referral.death_confirmed', ipAddress, at });
      const confirmed = (await lockReferral(trx, referral.id)) as Referral;
      return loadAndPresent(deps, trx, caller, confirmed, at);
    }
    const reason = { code: 'died', text: deathReportInWords(report) } as const;
    const ended = await endReferral(deps, trx, caller, referral as Referral, {
      ending,
      cause: 'death-reported',
      reason,
      ipAddress,
      at,
    });
    return loadAndPresent(deps, trx, caller, ended, at);
  });
}

/**
 * The person is alive. Every referral that waited goes on, and every one that was ended is as it was before; those who had a letter
 * get one that replaces it. For the organisation that reported it, a service that confirmed it, and operators, who give a reason. If another
 * organisation reported it, either side may do so for its own referrals, until it has confirmed the death.
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
    const request = { referralId, version, operatorsToo: true };
    const { referral, report: own, reports } = await lockWithReport(deps, trx, caller, request, at);
    if (mayUndoOnlyForOwn(caller, referral, own))
      await undoForOwnReferrals(deps, trx, caller, { reports, ipAddress, at });
    else {
      const reason = requireMayUndo(caller, referral, own, typed);
      await undoForAllReferrals(deps, trx, caller, { reports, reason, ipAddress, at });
    }
    // Those who were warned that the person may have died need not ask any more.
    await addJobs(trx, 'update-prompts', [{}]);
    return loadAndPresent(deps, trx, caller, (await lockReferral(trx, referral.id)) as Referral, at);
  });
}

/** The caller’s own referrals go on, and the operators are told. The report stays for the others. */
async function undoForOwnReferrals(
  deps: ReferralDeps,
  trx: Trx,
  caller: Caller,
  { reports, ipAddress, at }: { reports: readonly DeathReportRow[]; ipAddress: string; at: Date },
): Promise<void> {
  const undone: Referral[] = [];
  for (const report of reports) {
    const locked = await lockReferral(trx, report.referralId);
    if (!locked || !isSent(locked) || !mayUndoOnlyForOwn(caller, locked, report)) continue;
    await undoForOwnReferral(deps, trx, caller, locked, { report, ipAddress, at });
    undone.push(locked);
  }
  await tellOperatorsOfPersonAlive(deps, trx, undone);
}

/** Every referral that waited goes on, and every one that was ended is as it was before. */
async function undoForAllReferrals(
  deps: ReferralDeps,
  trx: Trx,
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
    if (report.confirmedAt === null) await recordDeathEvent(deps, trx, caller, locked, 'death-undone', at);
    else if (locked.status_reason?.code === 'died') await reopen(deps, trx, caller, locked, report, at);
    await deps.roomsAbove.onDeathHoldLifted(trx, locked.id);
    const action = 'referral.death_undone';
    await recordDeathAudit(trx, caller, { referralId: locked.id, action, reason, ipAddress, at });
  }
  await saveReportUndone(trx, reports[0]!.reportId, at);
}

function mayUndoOnlyForOwn(caller: Caller, referral: Referral | Draft, report: DeathReportRow): boolean {
  if (mayUndoDeath(caller, referral, report) || mayUndoDeathAsOperator(caller)) return false;
  return mayUndoForOwn(caller, referral, report);
}

/**
 * One of the caller’s own referrals goes on. The organisation that reported the death, and those of the person's other referrals, are
 * not told: that would tell them where the person gets help.
 */
async function undoForOwnReferral(
  deps: ReferralDeps,
  trx: Trx,
  caller: Caller,
  referral: Referral,
  { report, ipAddress, at }: { report: DeathReportRow; ipAddress: string; at: Date },
): Promise<void> {
  await setDeathReported(trx, referral.id, null);
  await saveRowUndone(trx, report.rowId, at);
  await recordDeathEvent(deps, trx, caller, referral, 'death-undone', at);
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
  if (!mayUndoDeathAsOperator(caller)) return throwMayNotUndoDeath();
  const reason = requireReason(typed);
  requireAnonymousReason(reason, referral.content);
  return reason;
}

/** Puts a referral back to what it was before the death was confirmed, and tells those who had a letter. */
async function reopen(
  deps: ReferralDeps,
  trx: Trx,
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
  // The watch had nothing to do for a referral that had ended, and may have dropped it.
  await watchUntilOpened(trx, deps.settings, [reopened], at);
  // Both get a new letter, because their last one said the referral had ended.
  const who = { by: null, actorId: caller.accountId };
  const change = { referral: reopened, before: ended, kind: 'reopened', ...who, at } as const;
  await deps.roomsAbove.onContentChange(trx, change);
}

/**
 * Locks a referral with the report of its person's death. A report is confirmed or taken back by one transaction at
 * a time, for all of the person's referrals. Otherwise a referral could be ended after the report was taken back. The
 * referrals are locked in the order of their ids, as when the report was made, so that there is no deadlock.
 * @throws Problem `version-stale`, `wrong-state` if nobody reported a death.
 */
async function lockWithReport(
  deps: ReferralDeps,
  trx: Trx,
  caller: Caller,
  {
    referralId,
    version,
    operatorsToo = false,
  }: Pick<DeathRequest, 'referralId' | 'version'> & { operatorsToo?: boolean },
  at: Date,
) {
  // Refuses strangers before anything is locked.
  await authorise(trx, caller, referralId, at);
  const told = await findReportRow(trx, referralId);
  if (told) await holdTaskLock(trx, `death report ${told.reportId}`);
  const reports = told ? await listReportRows(trx, told.reportId) : [];
  for (const each of reports) await lockReferral(trx, each.referralId);
  const locked =
    operatorsToo && mayUndoDeathAsOperator(caller)
      ? await lockForAnyReader(trx, caller, referralId, at)
      : await lockForSides(trx, caller, referralId, at);
  await noteOpening(deps, trx, caller, locked, at);
  if (version !== undefined) requireVersion(locked.referral, version);
  const report = reports.find((each) => each.referralId === referralId);
  if (!report) throw new Problem(wrongState, 'No death has been reported for this person.');
  return { ...locked, report, reports };
}

/** A side of one referral must not learn from its history who works with the person elsewhere; an operator works with nobody. */
function historyActorFor(caller: Caller, referral: Referral) {
  if (sidesOf(caller, referral).length > 0) return historyActorOf(caller);
  return caller.organisation === null && caller.roles.includes('operator')
    ? historyActorOf(caller)
    : siteAsHistoryActor;
}

/** Writes a line of the referral's history, and an event for the client systems of both sides. What the referral says stays. */
async function recordDeathEvent(
  deps: ReferralDeps,
  trx: Trx,
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

function recordDeathAudit(
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
