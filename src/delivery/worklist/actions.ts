import { actorOf, type Caller } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { practiceChannelNames } from '../../library/index.ts';
import { inTransaction, type Trx } from '../../platform/database/index.ts';
import { isUuid } from '../../platform/ids/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { defineProblem, notFound, Problem, unprocessable } from '../../platform/problem/index.ts';
import type { DeliveryStatus } from '../../referrals/index.ts';
import type { DeliveryDeps } from '../channels/deps.ts';
import { applyReport } from '../follow-up/apply-report.ts';
import { type LockedDelivery, lockDelivery } from '../follow-up/follow-up-store.ts';
import type { ReceiverKind } from '../model/delivery.ts';
import { closeWorklistRow, restartDelivery, setOwner } from '../model/worklist-store.ts';
import { addJobNow } from '../send/jobs-store.ts';
import { listOperators } from './list-store.ts';

/** Who sees to which delivery, and from where. */
export type OperatorAction = { caller: Caller; id: string; address: string };

/** Does something about a delivery, with its audit, in one transaction. @throws Problem `not-found`, and those of the work. */
function actOnDelivery(
  deps: Platform,
  { caller, id, address }: OperatorAction,
  { action, details }: { action: `delivery.${string}`; details?: Record<string, unknown> },
  work: (trx: Trx, delivery: LockedDelivery, at: Date) => Promise<void>,
): Promise<void> {
  return inTransaction(deps.db, async (trx) => {
    const delivery = isUuid(id) ? await lockDelivery(trx, id) : undefined;
    if (!delivery) throw new Problem(notFound);
    const at = deps.clock.now();
    await work(trx, delivery, at);
    await recordAudit(trx, {
      at,
      actor: actorOf(caller, address),
      action,
      subject: { type: 'referral', id: delivery.referralId },
      details: { delivery: id, ...details },
    });
  });
}

const nothingToDo = defineProblem({
  type: 'nothing-to-do',
  status: 409,
  title: 'That cannot be done about this delivery now',
  detail: 'It may have gone out meanwhile, or somebody has seen to it: read it again.',
});

/**
 * Says which operator sees to a delivery: the caller, who takes it over, or another.
 * @throws Problem `not-found`, `nothing-to-do`, `unprocessable`.
 */
export function assignDelivery(deps: Platform, act: OperatorAction, ownerId: string): Promise<void> {
  const entry = { action: 'delivery.assigned', details: { owner: ownerId } } as const;
  return actOnDelivery(deps, act, entry, async (trx, { id }) => {
    const operators = await listOperators(trx);
    if (!operators.some((each) => each.id === ownerId)) {
      const errors = [{ pointer: '/account_id', message: 'Choose an operator' }];
      throw new Problem(unprocessable, undefined, { errors });
    }
    if (!(await setOwner(trx, id, ownerId))) throw new Problem(nothingToDo);
  });
}

/**
 * An operator made sure that the receiver knows, for example by telephone, and says how. Nothing is sent any more.
 * @throws Problem `not-found`, `nothing-to-do`.
 */
export function markDoneByHand(deps: Platform, act: OperatorAction, words: string): Promise<void> {
  return actOnDelivery(deps, act, { action: 'delivery.done_by_hand' }, async (trx, delivery, at) => {
    const closing = { as: 'by-hand', by: act.caller.accountId, words } as const;
    if (delivery.status === 'sending' || !(await closeWorklistRow(trx, delivery.id, closing, at)))
      throw new Problem(nothingToDo);
    const detail = 'Somebody who runs this site saw to it by hand.';
    await applyReport(trx, delivery, { status: 'acknowledged', detail }, at);
  });
}

/** Not what is under way, what is done, and what was never to be sent. */
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
export function retryDelivery(deps: DeliveryDeps, act: OperatorAction): Promise<void> {
  return sendAgain(deps, act, null);
}

/**
 * Sends a delivery by the channel that an operator chooses, in the place of the receiver's own.
 * @throws Problem `not-found`, `nothing-to-do`, `unprocessable`.
 */
export function sendAnotherWay(deps: DeliveryDeps, act: OperatorAction, channel: string): Promise<void> {
  return sendAgain(deps, act, channel);
}

/** The ways that reach such a receiver, as far as this site has them. */
export function channelsToChoose(
  { channels }: Pick<DeliveryDeps, 'channels'>,
  receiverKind: ReceiverKind,
): string[] {
  const names = channels.live.map(({ name }) => name);
  return receiverKind === 'service'
    ? names
    : names.filter((name) => practiceChannelNames.some((each) => each === name));
}

function sendAgain(deps: DeliveryDeps, act: OperatorAction, channel: string | null): Promise<void> {
  const entry =
    channel === null
      ? ({ action: 'delivery.retried' } as const)
      : ({ action: 'delivery.sent_another_way', details: { channel } } as const);
  return actOnDelivery(deps, act, entry, async (trx, { id, receiverKind, status, isNotAttempted }, at) => {
    if (channel !== null && !channelsToChoose(deps, receiverKind).includes(channel)) {
      const errors = [{ pointer: '/channel', message: 'Choose a way that reaches them' }];
      throw new Problem(unprocessable, undefined, { errors });
    }
    if (!canBeSentAgain(status)) throw new Problem(nothingToDo);
    // Who presses the button twice wants one attempt: of two at once each takes the other for one that was killed.
    if (isNotAttempted && channel === null) return;
    await restartDelivery(trx, id, channel, at);
    const as = channel === null ? 'retried' : 'another-way';
    await closeWorklistRow(trx, id, { as, by: act.caller.accountId, words: null }, at);
    await addJobNow(trx, id, { try_now: true });
  });
}
