import { type ActionOn, actorOf, listOperators } from '../../accounts/index.ts';
import { type AuditAction, recordAudit } from '../../audit/index.ts';
import { practiceChannelNames } from '../../library/index.ts';
import { inRetriedTransaction, type Trx } from '../../platform/database/index.ts';
import { requireById } from '../../platform/ids/index.ts';
import { addJobs } from '../../platform/jobs/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { defineProblem, Problem, unprocessable } from '../../platform/problem/index.ts';
import { type DeliveryLeg, type DeliveryStatus, deletePrompts } from '../../referrals/index.ts';
import type { DeliveryDeps } from '../channels/deps.ts';
import { applyReport } from '../follow-up/apply-report.ts';
import { type LockedDelivery, lockDelivery } from '../follow-up/follow-up-store.ts';
import { closeUndelivered, restartDelivery, setOwner, setPracticeAsked } from '../model/undelivered-store.ts';
import { addAttemptJob } from '../send/jobs-store.ts';

export const nothingToDo = defineProblem({
  type: 'nothing-to-do',
  status: 409,
  title: 'That cannot be done about this delivery now',
  detail: 'It may have gone out meanwhile, or somebody has resolved it: read it again.',
});

/**
 * Gives a delivery to an operator: to the caller, who takes it over, or to another.
 * @throws Problem `not-found`, `nothing-to-do`, `unprocessable`.
 */
export function assignDelivery(deps: Platform, act: ActionOn, ownerId: string): Promise<void> {
  return inRetriedTransaction(deps.db, async (trx) => {
    const delivery = await lockOrNotFound(trx, act.id);
    const operators = await listOperators(trx);
    if (!operators.some(({ id }) => id === ownerId))
      throw invalidProblem('/account_id', 'Choose an operator');
    if (!(await setOwner(trx, delivery.id, ownerId))) throw new Problem(nothingToDo);
    await recordAction(trx, deps, act, delivery, 'delivery.assigned', { owner: ownerId });
  });
}

/**
 * An operator made sure that the receiver knows, for example by telephone, and says how. Nothing more is sent.
 * @throws Problem `not-found`, `nothing-to-do`.
 */
export function markDoneByHand(deps: Platform, act: ActionOn, words: string): Promise<void> {
  const at = deps.clock.now();
  return inRetriedTransaction(deps.db, async (trx) => {
    if (!(await markDoneInTransaction(trx, deps, act, words, at))) throw new Problem(nothingToDo);
  });
}

/** The same in the transaction of the caller. @returns false when it is on its way, or resolved already. @throws Problem `not-found`. */
export async function markDoneInTransaction(
  trx: Trx,
  deps: Platform,
  act: ActionOn,
  words: string,
  at: Date,
): Promise<boolean> {
  const delivery = await lockOrNotFound(trx, act.id);
  if (delivery.status === 'sending') return false;
  const closing = { as: 'by-hand', by: act.caller.accountId, words } as const;
  if (!(await closeUndelivered(trx, delivery.id, closing, at))) return false;
  const detail = 'An operator told the receiver directly.';
  await applyReport(trx, delivery, { status: 'acknowledged', detail }, at);
  await recordAction(trx, deps, act, delivery, 'delivery.done_by_hand');
  return true;
}

/**
 * Asks the referrer for the GP practice of a letter, in the transaction of the caller: they get a prompt and an email, and are
 * reminded. @throws Problem `not-found`, `nothing-to-do`.
 */
export async function askForPracticeInTransaction(
  trx: Trx,
  deps: Platform,
  act: ActionOn,
  at: Date,
): Promise<void> {
  const delivery = await lockOrNotFound(trx, act.id);
  if (!(await setPracticeAsked(trx, delivery.id, at))) throw new Problem(nothingToDo);
  // A prompt that was dealt with before would hide the new one.
  await deletePrompts(trx, delivery.referralId, ['practice-missing']);
  await addJobs(trx, 'update-prompts', [{}]);
  await recordAction(trx, deps, act, delivery, 'delivery.practice_asked');
}

/** Excludes deliveries that are being sent, are done, or were never to be sent. */
const resendableStatuses: readonly DeliveryStatus[] = [
  'queued',
  'sent',
  'received',
  'uncertain',
  'failed',
  'expired',
];

export function canBeSentAgain(status: DeliveryStatus): boolean {
  return resendableStatuses.includes(status);
}

/** Tries a delivery again from the start, with the same message. @throws Problem `not-found`, `nothing-to-do`. */
export function retryDelivery(deps: DeliveryDeps, act: ActionOn): Promise<void> {
  return sendAgain(deps, act, null);
}

/**
 * Sends a delivery by the channel that an operator chooses, in the place of the receiver's own.
 * @throws Problem `not-found`, `nothing-to-do`, `unprocessable`.
 */
export function sendAnotherWay(deps: DeliveryDeps, act: ActionOn, channel: string): Promise<void> {
  return sendAgain(deps, act, channel);
}

/** The channels of this site that can reach such a receiver. */
export function channelsToChoose({ channels }: Pick<DeliveryDeps, 'channels'>, leg: DeliveryLeg): string[] {
  const names = channels.outgoing.map(({ name }) => name);
  return leg === 'service'
    ? names
    : names.filter((name) => practiceChannelNames.some((each) => each === name));
}

function sendAgain(deps: DeliveryDeps, act: ActionOn, channel: string | null): Promise<void> {
  return inRetriedTransaction(deps.db, async (trx) => {
    if (!(await sendAgainInTransaction(trx, deps, act, channel))) throw new Problem(nothingToDo);
  });
}

/**
 * Starts a delivery again, in the transaction of the caller.
 * @returns false when it is in no state to be sent again. @throws Problem `not-found`, `unprocessable`.
 */
export async function sendAgainInTransaction(
  trx: Trx,
  deps: DeliveryDeps,
  act: ActionOn,
  channel: string | null,
): Promise<boolean> {
  const at = deps.clock.now();
  const delivery = await lockOrNotFound(trx, act.id);
  const { id, leg, status, isNotAttempted } = delivery;
  if (channel !== null && !channelsToChoose(deps, leg).includes(channel))
    throw invalidProblem('/channel', 'Choose a channel that reaches them');
  if (!canBeSentAgain(status)) return false;
  // Pressing the button twice makes one attempt. Each of two concurrent attempts would treat the other as interrupted.
  if (isNotAttempted && channel === null) return true;
  const as = channel === null ? 'retried' : 'another-way';
  await restartDelivery(trx, id, channel, at);
  await closeUndelivered(trx, id, { as, by: act.caller.accountId, words: null }, at);
  await addAttemptJob(trx, id, { try_now: true });
  if (channel === null) await recordAction(trx, deps, act, delivery, 'delivery.retried');
  else await recordAction(trx, deps, act, delivery, 'delivery.sent_another_way', { channel });
  return true;
}

function lockOrNotFound(trx: Trx, id: string): Promise<LockedDelivery> {
  return requireById(id, (id) => lockDelivery(trx, id));
}

function invalidProblem(pointer: string, message: string): Problem {
  return new Problem(unprocessable, undefined, { errors: [{ pointer, message }] });
}

async function recordAction(
  trx: Trx,
  { clock }: Pick<Platform, 'clock'>,
  { caller, ipAddress }: ActionOn,
  delivery: LockedDelivery,
  action: AuditAction,
  details: Record<string, unknown> = {},
): Promise<void> {
  await recordAudit(trx, {
    at: clock.now(),
    actor: actorOf(caller, ipAddress),
    action,
    subject: { type: 'referral', id: delivery.referralId },
    details: { delivery: delivery.id, ...details },
  });
}
