import { actorOf, type Caller } from '../../accounts/index.ts';
import type { Actor } from '../../audit/index.ts';
import { findServiceForReferral, listOpenToReferrals } from '../../library/index.ts';
import { localTime } from '../../platform/clock/index.ts';
import type { Trx } from '../../platform/database/index.ts';
import { type FieldError, Problem, unprocessable } from '../../platform/problem/index.ts';
import type { ExpectedVersion } from '../model/access/access.ts';
import { sidesOf } from '../model/access/sides.ts';
import { historyActorOf } from '../model/actors/authors.ts';
import { actorByLink, historyActorByLink, type LinkHolder } from '../model/actors/link-holder.ts';
import { type Measure, measureErrors } from '../model/after-acceptance/measures.ts';
import { noteSeen } from '../model/attention/watches.ts';
import { endWatches } from '../model/attention/watches-store.ts';
import { type Actors, changeStatus } from '../model/change-status.ts';
import type { ReferralDeps } from '../model/deps.ts';
import {
  buildGpActions,
  type GpActionAuthor,
  gpActionErrors,
  lettersWithAnswer,
} from '../model/gp-actions.ts';
import { wrongStatusProblem } from '../model/problems.ts';
import type {
  Draft,
  GpAction,
  GpActionInput,
  Outcome,
  Referral,
  ReferralContent,
  StatusReason,
} from '../model/referral.ts';
import { lockReferral } from '../model/referrals-store.ts';
import {
  type Action,
  actingSide,
  actionRules,
  requireAllowedWhileDeathReported,
  type Side,
} from '../model/status/state-machine.ts';
import { requireUsable } from '../model/status/usable.ts';
import { updateMeasurePrompts } from './record-measures.ts';

export type ActionRequest = ExpectedVersion & {
  ipAddress: string;
  body: ActionBody;
  /** Until when staff of the service can take it back, if it is a decline. */
  declineFinalAt?: Date;
};

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

/** @throws Problem `unprocessable` */
export function requireValidActionBody(body: ActionBody, now: Date): void {
  const errors = actionBodyErrors(body, now);
  if (errors.length > 0) throw new Problem(unprocessable, 'See `errors` for what to change.', { errors });
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

/** Takes an action on a locked referral, for a caller whose access the calling function has checked. @throws Problem `wrong-state` */
export async function applyActionOfCaller(
  trx: Trx,
  deps: ReferralDeps,
  caller: Caller,
  locked: Referral | Draft,
  {
    action,
    body,
    declineFinalAt,
    ipAddress,
    at,
  }: Omit<ActionRequest, keyof ExpectedVersion> & { action: Action; at: Date },
): Promise<Referral | Draft> {
  const sides = sidesOf(caller, locked);
  const referral = await noteSeen(trx, caller, { referral: locked, sides }, at);
  const suggested = await findSuggestedService(trx, deps, locked, body.suggested_service_id);
  const change = { action, body, declineFinalAt, suggested, sides, at };
  const history = historyActorOf(caller);
  const askedBy = { ...history, telephone: caller.telephone };
  const actors = { history, askedBy, audit: actorOf(caller, ipAddress) };
  const changed = await applyAction(trx, deps, referral, change, actors);
  // Only a person’s answer ends the watch: after a system’s, a person still has to see the referral.
  if (!caller.isSystem) await endWatches(trx, [changed.id]);
  return changed;
}

/** Who acts. `askedBy` is the same person with a telephone number, for a practice that is asked for something. */
type ActingAs = Omit<Actors, 'by'> & { askedBy: GpActionAuthor };

/** Checks that somebody on these sides may take the action now, and changes the status. @throws Problem `wrong-state` */
async function applyAction(
  trx: Trx,
  deps: Pick<ReferralDeps, 'roomsAbove' | 'settings'>,
  referral: Referral | Draft,
  change: {
    action: Action;
    body: ActionBody;
    declineFinalAt?: Date | undefined;
    suggested?: SuggestedService;
    sides: readonly Side[];
    at: Date;
  },
  { askedBy, ...actors }: ActingAs,
): Promise<Referral | Draft> {
  const { action, body, declineFinalAt, suggested, sides, at } = change;
  const { to, from } = actionRules[action];
  const by = actingSide(action, referral.status, sides);
  if (!by) {
    const possible = Object.entries(from).filter(([, allowed]) =>
      allowed.some((side) => sides.includes(side)),
    );
    throw wrongStatusProblem(
      referral.status,
      possible.map(([status]) => status),
      { onlyForCaller: true },
    );
  }
  requireAllowedWhileDeathReported(referral, action, body.status_reason?.code);
  const transition = {
    to,
    reason: body.status_reason ?? null,
    outcome: body.outcome ?? null,
    expectedDate: body.expected_date ?? null,
    addedContent: {
      ...addedContent(referral, body, askedBy),
      ...(suggested && { suggested_service: suggested }),
    },
    declineFinalAt: action === 'reject' ? declineFinalAt : undefined,
    at,
  };
  const changed = await changeStatus(trx, deps, referral, transition, { by, ...actors });
  await promptAboutEndMeasures(trx, changed, body.outcome?.measures ?? [], at);
  return changed;
}

type SuggestedService = NonNullable<ReferralContent['suggested_service']> | undefined;

/**
 * The service that is suggested, if somebody can be referred to it. The name of a sensitive one is for the referrer alone, and their
 * colleagues would read it here. @throws Problem `unprocessable`
 */
async function findSuggestedService(
  trx: Trx,
  { settings }: Pick<ReferralDeps, 'settings'>,
  { service_id }: Pick<Referral | Draft, 'service_id'>,
  id: string | undefined,
): Promise<SuggestedService> {
  if (id === undefined) return undefined;
  const service = await findServiceForReferral(trx, id);
  const suggestionProblem = (message: string, code: string) =>
    new Problem(unprocessable, 'See `errors` for what to change.', {
      errors: [{ pointer: '/suggested_service_id', message, code }],
    });
  if (!service || service.id === service_id)
    throw suggestionProblem('is not another service in this library', 'unknown');
  const open = await listOpenToReferrals(trx, [service], settings.mode);
  if (service.status !== 'active' || !open.has(service.id))
    throw suggestionProblem('is a service that takes no referrals here', 'takes-no-referrals');
  if (service.sensitive)
    throw suggestionProblem('is a sensitive service: telephone the referrer instead', 'sensitive');
  return { id: service.id, name: service.name };
}

/** The measures at the end may have a worrying answer, and they end the reminders of the end. */
async function promptAboutEndMeasures(
  trx: Trx,
  { id, content }: Referral | Draft,
  measures: readonly Measure[],
  at: Date,
): Promise<void> {
  const added = measures.map((each) => ({ ...each, taken_at: at.toISOString(), by: 'staff' as const }));
  if (added.length > 0)
    await updateMeasurePrompts(trx, id, { all: [...(content.measures ?? []), ...added], added, at });
}

function addedContent(
  { content }: Referral | Draft,
  { gp_actions, declines_social_prescribing }: ActionBody,
  askedBy: GpActionAuthor,
): Partial<ReferralContent> {
  const gpActions = (content.gp_actions ?? []) as GpAction[];
  return {
    ...(gp_actions && {
      gp_actions: [...gpActions, ...buildGpActions(gp_actions, 'outcome', askedBy)],
      gp_actions_answered: [...lettersWithAnswer(content as ReferralContent), 'outcome'],
    }),
    ...(declines_social_prescribing && { declines_social_prescribing: true }),
  };
}

/**
 * Takes an action on a locked referral, for a member of the service’s staff without an account, who opened the link in the email to the service.
 * @throws Problem `wrong-state`
 */
export async function answerByLink(
  trx: Trx,
  deps: ReferralDeps,
  referral: Referral,
  { action, body, at }: { action: Action; body: ActionBody; at: Date },
  holder: LinkHolder,
): Promise<Referral> {
  requireValidActionBody(body, at);
  const history = historyActorByLink(holder, referral);
  const change = { action, body, sides: ['provider'] as const, at };
  const actors = { history, askedBy: history, audit: actorByLink(holder) };
  const changed = await applyAction(trx, deps, referral, change, actors);
  await endWatches(trx, [referral.id]);
  return changed as Referral;
}

/**
 * On a test site the simulator answers in place of the service’s staff.
 * @throws Problem `wrong-state`, `referral-restricted`, `referral-erased`.
 */
export async function answerAsService(
  trx: Trx,
  deps: ReferralDeps,
  referralId: string,
  { action, body }: { action: Action; body: ActionBody },
  actor: Actor,
): Promise<void> {
  const referral = await lockReferral(trx, referralId);
  if (!referral) return;
  requireUsable(referral);
  const change = { action, body, sides: ['provider'] as const, at: deps.clock.now() };
  const history = { id: null, name: actor.name, organisation: null, organisationId: null };
  await applyAction(trx, deps, referral, change, { history, askedBy: history, audit: actor });
  await endWatches(trx, [referral.id]);
}
