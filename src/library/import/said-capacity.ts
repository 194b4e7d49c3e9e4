import { momentOf } from '../../platform/clock/index.ts';
import { capacities } from '../search/filter-parameters.ts';

/** What a source says of the room that a service has. */
export type SaidCapacity = { status: string; waitingTime: string | null; saidAt: Date };

const longestWaitingTime = 200;

/** A service's `service_capacity`, as sites like this one give it; none where it is anything else. */
export function saidCapacity(given: unknown): SaidCapacity | undefined {
  const { status, waiting_time, updated } = (given ?? {}) as Record<string, unknown>;
  const saidAt = typeof updated === 'string' ? momentOf(updated) : undefined;
  const known = capacities.find((each) => each === status);
  if (known === undefined || !saidAt) return undefined;
  const waitingTime = typeof waiting_time === 'string' ? waiting_time.slice(0, longestWaitingTime) : null;
  return { status: known, waitingTime, saidAt };
}
