import { addJobs } from '../../platform/jobs/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem, unprocessable } from '../../platform/problem/index.ts';
import type { DeliveryStatus } from '../../referrals/index.ts';
import { createChannels } from '../channels/index.ts';
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
  if (!channelsToChoose(deps).includes(channel)) {
    const errors = [{ pointer: '/channel', message: 'Choose a way that this site has' }];
    throw new Problem(unprocessable, undefined, { errors });
  }
  return sendAgain(deps, act, channel);
}

export function channelsToChoose(deps: Platform): string[] {
  return createChannels(deps).live.map(({ name }) => name);
}

function sendAgain(deps: Platform, act: Act, channel: string | null): Promise<void> {
  const entry =
    channel === null
      ? ({ action: 'delivery.retried' } as const)
      : ({ action: 'delivery.sent_another_way', details: { channel } } as const);
  return actOnDelivery(deps, act, entry, async (trx, { id, status }, at) => {
    if (!canBeSentAgain(status)) throw new Problem(nothingToDo);
    await startAnew(trx, id, channel, at);
    const as = channel === null ? 'retried' : 'another-way';
    await closeRow(trx, id, { as, by: act.caller.accountId, words: null }, at);
    await addJobs(trx, 'deliver', [{ delivery_id: id }]);
  });
}
