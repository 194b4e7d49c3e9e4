import { practiceChannelNames } from '../../library/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem, unprocessable } from '../../platform/problem/index.ts';
import type { DeliveryStatus } from '../../referrals/index.ts';
import { createChannels } from '../channels/index.ts';
import type { Leg } from '../delivery.ts';
import { addJobNow } from '../jobs-store.ts';
import { nothingToDo } from '../problems.ts';
import { type Act, actOnDelivery } from './act.ts';
import { closeRow, startAnew } from './store.ts';

/** Not what is under way, what is done, and what was never to be sent. */
const again: readonly DeliveryStatus[] = ['queued', 'sent', 'received', 'uncertain', 'failed', 'expired'];

export function canBeSentAgain(status: DeliveryStatus): boolean {
  return again.includes(status);
}

/** Tries a delivery again from the start, with the same message. @throws Problem `not-found`, `nothing-to-do`. */
export function retryDelivery(deps: Platform, act: Act): Promise<void> {
  return sendAgain(deps, act, null);
}

/**
 * Sends a delivery by the channel that an operator chooses, in the place of the receiver's own.
 * @throws Problem `not-found`, `nothing-to-do`, `unprocessable`.
 */
export function sendAnotherWay(deps: Platform, act: Act, channel: string): Promise<void> {
  return sendAgain(deps, act, channel);
}

/** The ways that reach such a receiver, as far as this site has them. */
export function channelsToChoose(deps: Platform, leg: Leg): string[] {
  const names = createChannels(deps).live.map(({ name }) => name);
  return leg === 'service'
    ? names
    : names.filter((name) => practiceChannelNames.some((each) => each === name));
}

function sendAgain(deps: Platform, act: Act, channel: string | null): Promise<void> {
  const entry =
    channel === null
      ? ({ action: 'delivery.retried' } as const)
      : ({ action: 'delivery.sent_another_way', details: { channel } } as const);
  return actOnDelivery(deps, act, entry, async (trx, { id, leg, status, isUntried }, at) => {
    if (channel !== null && !channelsToChoose(deps, leg).includes(channel)) {
      const errors = [{ pointer: '/channel', message: 'Choose a way that reaches them' }];
      throw new Problem(unprocessable, undefined, { errors });
    }
    if (!canBeSentAgain(status)) throw new Problem(nothingToDo);
    // Who presses the button twice wants one attempt: of two at once each takes the other for one that was killed.
    if (isUntried && channel === null) return;
    await startAnew(trx, id, channel, at);
    const as = channel === null ? 'retried' : 'another-way';
    await closeRow(trx, id, { as, by: act.caller.accountId, words: null }, at);
    await addJobNow(trx, id);
  });
}
