import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem/index.ts';
import { nothingToDo } from '../problems.ts';
import { noteNews } from '../take-news.ts';
import { type Act, actOnDelivery } from './act.ts';
import { closeRow } from './store.ts';

/**
 * An operator made sure that the receiver knows, for example by telephone, and says how. Nothing is sent any more.
 * @throws Problem `not-found`, `nothing-to-do`.
 */
export function doByHand(deps: Platform, act: Act, words: string): Promise<void> {
  return actOnDelivery(deps, act, { action: 'delivery.done_by_hand' }, async (trx, delivery, at) => {
    const closing = { as: 'by-hand', by: act.caller.accountId, words } as const;
    if (delivery.status === 'sending' || !(await closeRow(trx, delivery.id, closing, at)))
      throw new Problem(nothingToDo);
    const detail = 'Somebody who runs this site saw to it by hand.';
    await noteNews(trx, delivery, { status: 'acknowledged', detail }, at);
  });
}
