import { actorOf, type Caller } from '../../accounts/index.ts';
import { type Actor, recordAudit } from '../../audit/index.ts';
import { findServiceForReferral, listOpenToReferrals } from '../../library/index.ts';
import { localTime } from '../../platform/clock/index.ts';
import { inRetriedTransaction, type Trx } from '../../platform/database/index.ts';
import { type FieldError, Problem, unprocessable } from '../../platform/problem/index.ts';
import { lockVersionForSides, type SeenVersion } from '../model/access/access.ts';
import { sidesOf } from '../model/access/sides.ts';
import { type Measure, measureErrors } from '../model/after-acceptance/measures.ts';
import { lastingPromptKinds, promptKinds } from '../model/attention/prompts.ts';
import { deletePrompts } from '../model/attention/prompts-store.ts';
import { type HistoryActor, historyActorOf } from '../model/authors.ts';
import type { ChangedBy, ReferralDeps } from '../model/deps.ts';
import { nextDateAfter } from '../model/due/next-date.ts';
import { noteSeen, watchEnded } from '../model/due/unseen.ts';
import { deleteUnseen } from '../model/due/unseen-store.ts';
import {
  type ActionRequester,
  buildGpActions,
  gpActionErrors,
  whoAnsweredGpActions,
} from '../model/gp-actions.ts';
import { actorByLink, historyActorByLink, type LinkHolder } from '../model/link-holder.ts';
import { loadAndPresent, type PresentedReferral } from '../model/present.ts';
import { wrongState } from '../model/problems.ts';
import {
  type Draft,
  type GpAction,
  type GpActionInput,
  isSent,
  type Outcome,
  openStatuses,
  type Referral,
  type ReferralContent,
  type StatusReason,
} from '../model/referral.ts';
import {
  type Action,
  actingSide,
  type Ending,
  needsOtherHelp,
  requireNoReportedDeath,
  rules,
  type Side,
  sidesAllowed,
} from '../model/state-machine.ts';
import { lockReferral, type Transition, updateStatus } from '../model/store.ts';
import { requireUsable } from '../model/usable.ts';
import { followMeasures } from './record-measures.ts';

export type StatusChange = SeenVersion & { ipAddress: string; body: ActionBody };

/**
 * Takes an action on a referral. The new status, its history, its audit entry and its deliveries are one
 * transaction.
 * @throws Problem `not-found`, `forbidden` (the other side’s action), `version-stale`, `wrong-state`,
 * `unprocessable`.
 */
export async function changeStatus(
  deps: ReferralDeps,
  caller: Caller,
  action: Action,
  { ipAddress, body, ...seen }: StatusChange,
): Promise<PresentedReferral> {
  const at = deps.clock.now();
  requireValidAction(body, at);
  return inRetriedTransaction(deps.db, async (trx) => {
    const locked = await lockVersionForSides(trx, caller, seen, sidesAllowed(action));
    const changed = await changeLockedStatus(deps, trx, caller, locked, { action, body, ipAddress, at });
    return loadAndPresent(deps, trx, caller, changed, at);
  });
}

/** @throws Problem `unprocessable` */
export function requireValidAction(body: ActionBody, now: Date): void {
  const errors = actionBodyErrors(body, now);
  if (errors.length > 0) throw new Problem(unprocessable, 'See `errors` for what to change.', { errors });
}

/** Takes an action on a locked referral, for somebody who was found to be on a side of it. @throws Problem `wrong-state` */
export async function changeLockedStatus(
  deps: ReferralDeps,
  trx: Trx,
  caller: Caller,
  locked: Referral | Draft,
  { action, body, ipAddress, at }: { action: Action; body: ActionBody; ipAddress: string; at: Date },
): Promise<Referral | Draft> {
  const sides = sidesOf(caller, locked);
  const referral = await noteSeen(trx, caller, { referral: locked, sides }, at);
  const suggested = await findSuggestedService(deps, trx, locked, body.suggested_service_id);
  const change = { action, body, suggested, sides, at };
  const history = historyActorOf(caller);
  const requester = { ...history, telephone: caller.telephone };
  const actors = { history, requester, audit: actorOf(caller, ipAddress) };
  const changed = await takeAction(deps, trx, referral, change, actors);
  // If a system answers an urgent referral, a person still has to see it.
  if (!caller.isSystem && changed.status !== 'requested') await deleteUnseen(trx, [changed.id]);
  return changed;
}

type SuggestedService = NonNullable<ReferralContent['suggested_service']> | undefined;

/**
 * The service that is suggested, if somebody can be referred to it. The name of a sensitive one is for the referrer alone, and their
 * colleagues would read it here. @throws Problem `unprocessable`
 */
async function findSuggestedService(
  { settings }: Pick<ReferralDeps, 'settings'>,
  trx: Trx,
  { service_id }: Pick<Referral | Draft, 'service_id'>,
  id: string | undefined,
): Promise<SuggestedService> {
  if (id === undefined) return undefined;
  const service = await findServiceForReferral(trx, id);
  const refuse = (message: string, code: string) =>
    new Problem(unprocessable, 'See `errors` for what to change.', {
      errors: [{ pointer: '/suggested_service_id', message, code }],
    });
  if (!service || service.id === service_id)
    throw refuse('is not another service in this library', 'unknown');
  const open = await listOpenToReferrals(trx, [service], settings.mode);
  if (service.status !== 'active' || !open.has(service.id))
    throw refuse('is a service that takes no referrals here', 'takes-no-referrals');
  if (service.sensitive) throw refuse('is a sensitive service: telephone the referrer instead', 'sensitive');
  return { id: service.id, name: service.name };
}

/** Checks what the schema of an action cannot. */
export function actionBodyErrors(body: ActionBody, now: Date): FieldError[] {
  const { outcome, expected_date, gp_actions, status_reason, declines_social_prescribing } = body;
  const errors = [...measureErrors(outcome?.measures ?? []), ...gpActionErrors(gp_actions, now)];
  if (declines_social_prescribing && status_reason?.code !== 'client-declined')
    errors.push({
      pointer: '/declines_social_prescribing',
      message: 'may be true only with the reason client-declined',
    });
  const pointer = '/expected_date';
  const { day: today } = localTime(now);
  if (expected_date !== undefined && expected_date < today.date)
    errors.push({ pointer, message: 'must not be in the past', code: 'in-past' });
  const sameDayNextYear = `${Number(today.date.slice(0, 4)) + 1}${today.date.slice(4)}`;
  if (expected_date !== undefined && expected_date > sameDayNextYear)
    errors.push({ pointer, message: 'must be within a year', code: 'too-late' });
  return errors;
}

/** The schema of each action makes sure that it has what it needs. */
export type ActionBody = {
  status_reason?: StatusReason;
  outcome?: Outcome;
  expected_date?: string;
  gp_actions?: GpActionInput[];
  /** The person declines social prescribing altogether, so that the practice files the code for that. */
  declines_social_prescribing?: boolean;
  /** Another service that may help the person. */
  suggested_service_id?: string;
};

/** Takes an action on a locked referral, for somebody on these sides of it. @throws Problem `wrong-state` */
async function takeAction(
  deps: Pick<ReferralDeps, 'referralListener' | 'settings'>,
  trx: Trx,
  referral: Referral | Draft,
  change: {
    action: Action;
    body: ActionBody;
    suggested?: SuggestedService;
    sides: readonly Side[];
    at: Date;
  },
  { requester, ...actors }: Omit<Actors, 'by'> & { requester: ActionRequester },
): Promise<Referral | Draft> {
  const { action, body, suggested, sides, at } = change;
  const { to, from } = rules[action];
  const by = actingSide(action, referral.status, sides);
  if (!by) {
    const possible = Object.entries(from).filter(([, allowed]) =>
      allowed.some((side) => sides.includes(side)),
    );
    const states = possible.map(([status]) => status).join(' or ');
    throw new Problem(
      wrongState,
      `It is ${referral.status}; for you that is possible only when it is ${states}.`,
    );
  }
  requireNoReportedDeath(referral, action, body.status_reason?.code);
  const transition = {
    to,
    reason: body.status_reason ?? null,
    outcome: body.outcome ?? null,
    expectedDate: body.expected_date ?? null,
    addedContent: {
      ...addedContent(referral, body, requester),
      ...(suggested && { suggested_service: suggested }),
    },
    at,
  };
  const changed = await applyTransition(deps, trx, referral, transition, { by, ...actors });
  await followOutcome(trx, changed, body.outcome?.measures ?? [], at);
  return changed;
}

/** What was measured at the end may be worrying, as any measure may. */
async function followOutcome(
  trx: Trx,
  { id, content }: Referral | Draft,
  measures: readonly Measure[],
  at: Date,
): Promise<void> {
  const added = measures.map((each) => ({ ...each, taken_at: at.toISOString(), by: 'staff' as const }));
  if (added.length > 0)
    await followMeasures(trx, id, { all: [...(content.measures ?? []), ...added], added, at });
}

function addedContent(
  { content }: Referral | Draft,
  { gp_actions, declines_social_prescribing }: ActionBody,
  requester: ActionRequester,
): Partial<ReferralContent> {
  const asked = (content.gp_actions ?? []) as GpAction[];
  return {
    ...(gp_actions && {
      gp_actions: [...asked, ...buildGpActions(gp_actions, 'outcome', requester)],
      gp_actions_answered: [...whoAnsweredGpActions(content as ReferralContent), 'outcome'],
    }),
    ...(declines_social_prescribing && { declines_social_prescribing: true }),
  };
}

/** Who changes the status: the side, and the names in the history and the audit. */
export type Actors = { by: ChangedBy; history: HistoryActor; audit: Actor };

const endingPromptKinds = promptKinds.filter((kind) => !lastingPromptKinds.includes(kind));

/** Changes the status of a locked referral. Nobody is told of a draft that is deleted. */
export async function applyTransition(
  deps: Pick<ReferralDeps, 'referralListener' | 'settings'>,
  trx: Trx,
  referral: Referral | Draft,
  transition: Transition,
  actors: Actors,
): Promise<Referral | Draft> {
  const { to: status, expectedDate: expected_date, at } = transition;
  const nextDate = nextDateAfter(deps.settings, { ...referral, status, expected_date }, at);
  const changed = await updateStatus(trx, referral, { ...transition, nextDate }, actors.history);
  // Most prompts end with the referral; `staff-left` ends when the service acts.
  if (!openStatuses.includes(status)) await deletePrompts(trx, referral.id, endingPromptKinds);
  else if (actors.by === 'provider') await deletePrompts(trx, referral.id, ['staff-left']);
  if (isSent(changed) && actors.by !== 'referrer' && needsOtherHelp(changed))
    await watchEnded(trx, deps.settings, changed, transition.at);
  if (changed.requested_at !== null)
    await deps.referralListener.onChange(trx, [
      {
        referral: changed,
        from: referral.status,
        by: actors.by,
        actorId: actors.history.id,
        at: transition.at,
      },
    ]);
  await recordAudit(trx, {
    at: transition.at,
    actor: actors.audit,
    action: transition.reason?.code === 'died' ? 'referral.ended_by_death' : `referral.${transition.to}`,
    subject: { type: 'referral', id: referral.id },
  });
  return changed;
}

/** Ends a locked referral that was sent, with a reason and without an outcome. */
export async function endReferral(
  deps: Pick<ReferralDeps, 'referralListener' | 'settings'>,
  trx: Trx,
  caller: Caller,
  referral: Referral,
  { ending, reason, ipAddress, at }: { ending: Ending; reason: StatusReason; ipAddress: string; at: Date },
): Promise<Referral> {
  const transition = { to: ending.to, reason, outcome: null, expectedDate: null, at };
  const actors = { by: ending.by, history: historyActorOf(caller), audit: actorOf(caller, ipAddress) };
  return (await applyTransition(deps, trx, referral, transition, actors)) as Referral;
}

/**
 * Takes an action on a locked referral, for somebody of the service who has no account, and has the link in its email.
 * @throws Problem `wrong-state`
 */
export async function answerByLink(
  deps: ReferralDeps,
  trx: Trx,
  referral: Referral,
  { action, body, at }: { action: Action; body: ActionBody; at: Date },
  holder: LinkHolder,
): Promise<Referral> {
  requireValidAction(body, at);
  const history = historyActorByLink(holder, referral);
  const change = { action, body, sides: ['provider'] as const, at };
  const actors = { history, requester: history, audit: actorByLink(holder) };
  const changed = await takeAction(deps, trx, referral, change, actors);
  await deleteUnseen(trx, [referral.id]);
  return changed as Referral;
}

/**
 * On a test site the simulator answers in place of the service’s staff.
 * @throws Problem `wrong-state`, `referral-restricted`, `referral-erased`.
 */
export async function answerAsService(
  deps: ReferralDeps,
  trx: Trx,
  referralId: string,
  { action, body }: { action: Action; body: ActionBody },
  actor: Actor,
): Promise<void> {
  const referral = await lockReferral(trx, referralId);
  if (!referral) return;
  requireUsable(referral);
  const change = { action, body, sides: ['provider'] as const, at: deps.clock.now() };
  const history = { id: null, name: actor.name, organisation: null, organisationId: null };
  await takeAction(deps, trx, referral, change, { history, requester: history, audit: actor });
  await deleteUnseen(trx, [referral.id]);
}
