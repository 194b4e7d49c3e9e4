import type { Platform } from '../../platform/platform.ts';
import { Problem, unprocessable } from '../../platform/problem/index.ts';
import { nothingToDo } from '../problems.ts';
import { type Act, actOnDelivery } from './act.ts';
import { listOperators } from './list-store.ts';
import { setOwner } from './store.ts';

/**
 * Says which operator sees to a delivery: the caller, who takes it over, or another.
 * @throws Problem `not-found`, `nothing-to-do`, `unprocessable`.
 */
export function assignDelivery(deps: Platform, act: Act, ownerId: string): Promise<void> {
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
