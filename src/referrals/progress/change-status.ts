import { actorOf, type Caller } from '../../accounts/index.ts';
import { type Actor, recordAudit } from '../../audit/index.ts';
import { daysLater, localTime } from '../../library/index.ts';
import { inTransaction, type Trx } from '../../platform/database/index.ts';
import { type FieldError, Problem, unprocessable } from '../../platform/problem/index.ts';
import { lockVersionForSides, type SeenVersion, sidesOf } from '../model/access.ts';
import type { ChangedBy, ReferralDeps } from '../model/deps.ts';
import { measureErrors } from '../model/measures.ts';
import { loadDetails, type PresentedReferral, presentReferral } from '../model/present.ts';
import { wrongState } from '../model/problems.ts';
import {
  type Draft,
  type HistoryActor,
  historyActorOf,
  type Outcome,
  type Referral,
  requireUsable,
  type StatusReason,
} from '../model/referral.ts';
import { type Action, actingSide, rules, type Side, sidesAllowed } from '../model/state-machine.ts';
import { lockReferral, type Transition, updateStatus } from '../model/store.ts';

export type StatusChange = SeenVersion & { address: string; body: ActionBody };

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
  { address, body, ...seen }: StatusChange,
): Promise<PresentedReferral> {
  const at = deps.clock.now();
  const errors = actionBodyErrors(body, at);
  if (errors.length > 0) throw new Problem(unprocessable, 'See `errors` for what to change.', { errors });
  return inTransaction(deps.db, async (trx) => {
    const referral = await lockVersionForSides(trx, caller, seen, sidesAllowed(action));
    const change = { action, body, sides: sidesOf(caller, referral), at };
    const actors = { history: historyActorOf(caller), audit: actorOf(caller, address) };
    const changed = await takeAction(deps, trx, referral, change, actors);
    const details = await loadDetails(deps, trx, [{ caller, referral: changed }], at);
    return presentReferral(caller, changed, details);
  });
}

/** Checks what the schema of an action cannot. */
export function actionBodyErrors({ outcome, expected_date }: ActionBody, now: Date): FieldError[] {
  const errors = measureErrors(outcome?.measures ?? []);
  const pointer = '/expected_date';
  const { day: today } = localTime(now);
  if (expected_date !== undefined && expected_date < today.date)
    errors.push({ pointer, message: 'must not be in the past', code: 'in-past' });
  if (expected_date !== undefined && expected_date > daysLater(today, maxWaitDays).date)
    errors.push({ pointer, message: 'must be within a year', code: 'too-late' });
  return errors;
}

/** A place that is further away is no place: nobody would notice that the person is still waiting. */
const maxWaitDays = 366;

/** The schema of each action makes sure that it has what it needs. */
export type ActionBody = { status_reason?: StatusReason; outcome?: Outcome; expected_date?: string };

/** Takes an action on a locked referral, for somebody on these sides of it. @throws Problem `wrong-state` */
async function takeAction(
  deps: Pick<ReferralDeps, 'referralListener'>,
  trx: Trx,
  referral: Referral | Draft,
  change: { action: Action; body: ActionBody; sides: readonly Side[]; at: Date },
  actors: Omit<Actors, 'by'>,
): Promise<Referral | Draft> {
  const { action, body, sides, at } = change;
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
  const transition = {
    to,
    reason: body.status_reason ?? null,
    outcome: body.outcome ?? null,
    expectedDate: body.expected_date ?? null,
    at,
  };
  return applyTransition(deps, trx, referral, transition, { by, ...actors });
}

/** Who changes the status: the side, and the names in the history and the audit. */
export type Actors = { by: ChangedBy; history: HistoryActor; audit: Actor };

/** Changes the status of a locked referral. Nobody is told of a draft that is thrown away. */
export async function applyTransition(
  deps: Pick<ReferralDeps, 'referralListener'>,
  trx: Trx,
  referral: Referral | Draft,
  transition: Transition,
  actors: Actors,
): Promise<Referral | Draft> {
  const changed = await updateStatus(trx, referral, transition, actors.history);
  if (changed.requested_at !== null)
    await deps.referralListener.onChange(trx, [
      { referral: changed, from: referral.status, by: actors.by, at: transition.at },
    ]);
  await recordAudit(trx, {
    at: transition.at,
    actor: actors.audit,
    action: `referral.${transition.to}`,
    subject: { type: 'referral', id: referral.id },
  });
  return changed;
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
  const history = { id: null, name: actor.name, organisation: null };
  await takeAction(deps, trx, referral, change, { history, audit: actor });
}
