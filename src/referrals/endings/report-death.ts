import type { Caller } from '../../accounts/index.ts';
import { inRetriedTransaction, type Trx } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids/index.ts';
import { addJobs } from '../../platform/jobs/index.ts';
import { Problem, unprocessable } from '../../platform/problem/index.ts';
import { onOneLine } from '../../platform/visible-text.ts';
import {
  type AuthorisedReferral,
  authorise,
  lockForAnyReader,
  lockForSides,
  requireVersion,
} from '../model/access/access.ts';
import { recordAccess } from '../model/access/looks.ts';
import { sidesOf } from '../model/access/sides.ts';
import { historyActorOf } from '../model/actors/authors.ts';
import { deletePrompts } from '../model/attention/prompts-store.ts';
import { watchDeath } from '../model/attention/watches.ts';
import type { ReferralDeps } from '../model/deps.ts';
import { londonDate } from '../model/due/dates.ts';
import {
  hasDeathWarningForOperators,
  saveDeathWarnings,
} from '../model/person/death/death-warnings-store.ts';
import { wrongState } from '../model/problems.ts';
import { type Draft, isSent, openStatuses, type Referral } from '../model/referral.ts';
import { isUsable } from '../model/status/usable.ts';
import { type DeathRequest, recordDeathAudit, recordDeathEvent } from './death-report.ts';
import {
  findReportRow,
  insertReport,
  lockPersonAndOpenReferrals,
  setDeathReported,
  wasTakenBackBefore,
} from './deaths-store.ts';
import { tellOperatorsOfRepeatedReport, tellOperatorsOfStoppedReferrals } from './tell-operators.ts';

const isOperator = ({ roles }: Caller) => roles.includes('operator');

type DeathStatement = { toldBy: string; date: string | null };

/**
 * Reports that the person has died. From this moment nothing is sent about their open referrals of any organisation. For each, that lasts
 * until somebody on one of its sides confirms the death or says that it was a mistake. A colleague from whom the service is hidden gives a reason
 * first, or reports it on another referral of the person.
 * @returns those marked now that the caller may confirm; if none was, all that they may confirm, so that telling it twice answers the same
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
    const { referral: found } = await authorise(trx, caller, referralId, at);
    if (!isSent(found)) throw notOpenProblem(found);
    const open = await lockPersonAndOpenReferrals(trx, found);
    const locked = await lockForReport(trx, caller, referralId, at);
    const { referral, sides } = locked;
    if (sides.length > 0) await recordAccess(trx, deps, caller, locked, at);
    if (version !== undefined) requireVersion(referral, version);
    if (!isSent(referral) || !openStatuses.includes(referral.status)) throw notOpenProblem(referral);
    if (date !== null && date < referral.content.patient.birth_date)
      throw wrongDateProblem('must not be before the date of birth', 'too-early');
    const marked = await markDeathReported(trx, deps, caller, open, { toldBy, date, ipAddress, at });
    const [markedNow, allOpen] = [toConfirmBy(caller, marked), toConfirmBy(caller, open)];
    return markedNow.length > 0 ? markedNow : allOpen;
  });
}

/** Those that the caller may confirm: nobody reads or ends a restricted one before the restriction is lifted. */
export function toConfirmBy(caller: Caller, referrals: readonly Referral[]): Referral[] {
  return referrals.filter((each) => isUsable(each) && sidesOf(caller, each).length > 0);
}

/** For the two sides, and for an operator where a repeated report waits for one. */
async function lockForReport(trx: Trx, caller: Caller, id: string, at: Date): Promise<AuthorisedReferral> {
  const waitsForOperator = isOperator(caller) && (await hasDeathWarningForOperators(trx, id));
  return waitsForOperator ? lockForAnyReader(trx, caller, id, at) : lockForSides(trx, caller, id, at);
}

/**
 * Marks the locked open referrals of a person who is said to have died. Those that were marked before stay as they are. If an earlier
 * report of the same organisation was taken back, the referrals of others go on until an operator has looked at the report. Otherwise one
 * false report after another could stop help.
 */
export async function markDeathReported(
  trx: Trx,
  deps: ReferralDeps,
  caller: Caller,
  open: readonly Referral[],
  { toldBy, date, ipAddress, at }: DeathStatement & { ipAddress: string; at: Date },
): Promise<Referral[]> {
  const reportId = newId(at.getTime());
  const isOfOthers = (each: Referral) => sidesOf(caller, each).length === 0;
  const isRepeated = !isOperator(caller) && (await wasTakenBackBefore(trx, caller, open));
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
    marked.push(await recordDeathEvent(trx, deps, caller, each, 'death-reported', at));
    await recordDeathAudit(trx, caller, {
      referralId: each.id,
      action: 'referral.death_reported',
      ipAddress,
      at,
    });
  }
  // Anybody who knows a name and a birth date could report a death, so an operator is asked to look at once.
  const others = marked.filter(isOfOthers);
  if (others.length > 0 && !isOperator(caller)) await tellOperatorsOfStoppedReferrals(trx, deps, others);
  if (leftToOperators.length > 0) await leaveToOperators(trx, deps, { leftToOperators, open });
  // The job makes a prompt with an owner for each.
  if (marked.length > 0) await addJobs(trx, 'update-prompts', [{}]);
  return marked;
}

/** Each gets a prompt for the operators, who find out whether the person has died, and then report it themselves. */
async function leaveToOperators(
  trx: Trx,
  deps: ReferralDeps,
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
  await tellOperatorsOfRepeatedReport(trx, deps, leftToOperators);
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
