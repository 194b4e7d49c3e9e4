import { type Caller, requirePerson } from '../../accounts/index.ts';
import { inRetriedTransaction, type Trx } from '../../platform/database/index.ts';
import { authorise, lockVersionForSides } from '../model/access/access.ts';
import { sidesOf } from '../model/access/sides.ts';
import { historyActorOf } from '../model/authors.ts';
import type { ReferralDeps } from '../model/deps.ts';
import { namedIn } from '../model/person/patient.ts';
import { loadAndPresent, type PresentedReferral } from '../model/present.ts';
import { type Draft, isSent, type Referral, type ReferralStatus } from '../model/referral.ts';
import { type Action, requireNoReportedDeath, sidesAllowed } from '../model/state-machine.ts';
import { findReferralsAndDrafts, lockReferral } from '../model/store.ts';
import {
  changeLockedStatus,
  changeStatus,
  requireValidAction,
  type StatusChange,
} from '../progress/change-status.ts';
import {
  findReport,
  listReports,
  lockOpenReferralsOfPerson,
  lockPerson,
  saveConfirmed,
  setDeathReported,
} from './deaths-store.ts';
import { markDeathReported } from './report-death.ts';

/** A referral of a person who is said to have died, for somebody of its sides to confirm. */
type ReferralToConfirm = { id: string; reference: string; status: ReferralStatus | 'draft' };

/** A referral after an action. If it ended because the person has died, with their other open referrals. */
export type ReferralAfterAction = PresentedReferral & { to_confirm?: ReferralToConfirm[] };

/**
 * Takes an action on a referral. An end with the reason `died` is a report of the death as well.
 * @throws Problem as `changeStatus` and `endWithDeath`.
 */
export function takeReferralAction(
  deps: ReferralDeps,
  caller: Caller,
  action: Action,
  change: StatusChange,
): Promise<ReferralAfterAction> {
  return change.body.status_reason?.code === 'died'
    ? endWithDeath(deps, caller, action, change)
    : changeStatus(deps, caller, action, change);
}

/**
 * Ends a referral because the person has died: tells the death of all their open referrals, and confirms it for this one. So it
 * can be taken back, and nothing is sent about the others until somebody has confirmed them, too.
 * @throws Problem `not-found`, `forbidden`, `needs-person`, `version-stale`, `wrong-state`, `unprocessable`, `referral-restricted`,
 * `referral-erased`.
 */
async function endWithDeath(
  deps: ReferralDeps,
  caller: Caller,
  action: Action,
  { ipAddress, body, ...seen }: StatusChange,
): Promise<ReferralAfterAction> {
  requirePerson(caller);
  const at = deps.clock.now();
  requireValidAction(body, at);
  return inRetriedTransaction(deps.db, async (trx) => {
    const open = await lockPatientsOpenReferrals(trx, caller, seen.referralId, at);
    const locked = await lockVersionForSides(trx, caller, seen, sidesAllowed(action));
    requireNoReportedDeath(locked, action, 'died');
    const toldBy = [caller.name, caller.organisation?.name].filter(Boolean).join(', ');
    await markDeathReported(deps, trx, caller, open, { toldBy, date: null, ipAddress, at });
    const report = await findReport(trx, locked.id);
    if (report) {
      await saveConfirmed(trx, report.id, locked as Referral, { ...historyActorOf(caller), at });
      await setDeathReported(trx, locked.id, null);
    }
    const confirmed = (await lockReferral(trx, locked.id))!;
    const ended = await changeLockedStatus(deps, trx, caller, confirmed, { action, body, ipAddress, at });
    const others = open.filter(({ id }) => id !== ended.id);
    return {
      ...(await loadAndPresent(deps, trx, caller, ended, at)),
      to_confirm: others.filter((each) => sidesOf(caller, each).length > 0).map(summarise),
    };
  });
}

/** Locks the patient before the referral, as every death action does. */
async function lockPatientsOpenReferrals(
  trx: Trx,
  caller: Caller,
  id: string,
  at: Date,
): Promise<Referral[]> {
  const { referral } = await authorise(trx, caller, id, at);
  // Somebody who sends a draft has locked it, and then waits for the person's lock.
  if (!isSent(referral)) return [];
  await lockPerson(trx, id);
  return lockOpenReferralsOfPerson(trx, id);
}

/** With who each is about: two people may have one number by mistake. */
export type NamedToConfirm = ReferralToConfirm & { name: string; birthDate: string | undefined };

/** The other referrals of the same report that nobody has confirmed yet, and that somebody on these sides may confirm. */
export async function listOthersToConfirm(
  trx: Trx,
  caller: Caller,
  referralId: string,
): Promise<NamedToConfirm[]> {
  const told = await findReport(trx, referralId);
  const reports = told ? await listReports(trx, told.reportId) : [];
  const waiting = reports.filter((each) => each.referralId !== referralId && each.confirmedAt === null);
  const referrals = await findReferralsAndDrafts(
    trx,
    waiting.map((each) => each.referralId),
  );
  const usable = referrals.filter((each) => each.restrictedAt === null && each.erasedAt === null);
  return usable
    .filter((each) => sidesOf(caller, each).length > 0)
    .map((each) => ({ ...summarise(each), ...namedIn(each.content) }));
}

function summarise({ id, reference, status }: Referral | Draft): ReferralToConfirm {
  return { id, reference, status };
}
