import { actorOf, type Caller } from '../../accounts/index.ts';
import { type Actor, recordAudit } from '../../audit/index.ts';
import type { Trx } from '../../platform/database/index.ts';
import { type HistoryActor, historyActorOf } from './actors/authors.ts';
import { askAboutDangerAtEnd } from './attention/dangers.ts';
import { promptKindsUntilEnd } from './attention/prompts.ts';
import { deletePrompts } from './attention/prompts-store.ts';
import { watchUnhelped, watchWords } from './attention/watches.ts';
import type { ChangedBy, ReferralDeps } from './deps.ts';
import { nextDateAfter } from './due/next-date.ts';
import type { WaitDetails } from './history-store.ts';
import {
  type Draft,
  type EndCause,
  isSent,
  openStatuses,
  type Referral,
  type StatusReason,
} from './referral.ts';
import { setRerouted, type Transition, updateStatus } from './referrals-store.ts';
import { type Ending, endedUnhelped } from './status/state-machine.ts';

/** Who changes the status: the side, and the names in the history and the audit. */
export type Actors = { by: ChangedBy; history: HistoryActor; audit: Actor };

/**
 * Changes the status of a locked referral. Every change goes through here, except to send a draft (`submit/`) and to take back an ending
 * (`reopen.ts`) or a death. The new status, its history, its prompts, its deliveries and events, and its audit entry are one transaction. Nobody is
 * told of a draft that is deleted.
 */
export async function changeStatus(
  trx: Trx,
  deps: Pick<ReferralDeps, 'roomsAbove' | 'settings'>,
  referral: Referral | Draft,
  transition: Transition,
  actors: Actors,
): Promise<Referral | Draft> {
  const { to: status, expectedDate: expected_date, reason, at } = transition;
  const nextDate = nextDateAfter(deps.settings, { ...referral, status, expected_date }, at);
  const wait: WaitDetails | undefined =
    status === 'on-hold' && nextDate !== null
      ? { kind: 'status', changes: [], check_by: nextDate, urgent: referral.urgency === 'urgent' }
      : undefined;
  const changed = await updateStatus(trx, referral, { ...transition, nextDate, wait }, actors.history);
  // A caller that marks a referral as sent by mistake has locked this one as well (`lockReferralAndReplaced`).
  if (status === 'entered-in-error' && isSent(changed) && changed.reroutes !== null)
    await setRerouted(trx, [changed.reroutes], false);
  // Most prompts end with the referral; `staff-left` ends when the service acts.
  if (!openStatuses.includes(status)) await deletePrompts(trx, referral.id, promptKindsUntilEnd);
  else if (actors.by === 'provider') await deletePrompts(trx, referral.id, ['staff-left']);
  if (isSent(changed) && actors.by !== 'referrer' && endedUnhelped(changed))
    await watchUnhelped(trx, deps.settings, changed, at);
  if (isSent(changed)) await watchNewWords(trx, deps, changed, transition, actors);
  if (changed.requested_at !== null)
    await deps.roomsAbove.onStatusChange(trx, [
      {
        referral: changed,
        from: referral.status,
        by: actors.by,
        actorId: actors.history.id,
        at,
      },
    ]);
  await recordAudit(trx, {
    at,
    actor: actors.audit,
    action: reason?.code === 'died' ? 'referral.ended_by_death' : `referral.${status}`,
    subject: { type: 'referral', id: referral.id },
  });
  return changed;
}

/**
 * One email is not enough where the outcome or the reason has words of a crisis: it is watched until somebody of the other side has read
 * it. Where the service has ended the referral, somebody of the referrer’s side confirms that somebody has acted. How somebody died is no
 * danger that is still there.
 */
async function watchNewWords(
  trx: Trx,
  { settings }: Pick<ReferralDeps, 'settings'>,
  changed: Referral,
  { reason, outcome, at }: Transition,
  { by, history }: Actors,
): Promise<void> {
  if (by === 'site' || reason?.code === 'died') return;
  const texts = [reason?.text, outcome?.text];
  const isCrisis = await watchWords(trx, settings, changed, { by, authorId: history.id, texts, at });
  const hasEnded = by === 'provider' && !openStatuses.includes(changed.status);
  if (isCrisis && hasEnded) await askAboutDangerAtEnd(trx, changed.id, at);
}

/** Ends a locked referral that was sent, because of what was told of the person: with a reason and without an outcome. */
export async function endReferral(
  trx: Trx,
  deps: Pick<ReferralDeps, 'roomsAbove' | 'settings'>,
  caller: Caller,
  referral: Referral,
  {
    ending,
    cause,
    reason,
    ipAddress,
    at,
  }: { ending: Ending; cause: EndCause; reason: StatusReason; ipAddress: string; at: Date },
): Promise<Referral> {
  const transition = { to: ending.to, reason, endCause: cause, outcome: null, expectedDate: null, at };
  const actors = { by: ending.by, history: historyActorOf(caller), audit: actorOf(caller, ipAddress) };
  return (await changeStatus(trx, deps, referral, transition, actors)) as Referral;
}
