import type { ListedDelivery } from './store.ts';

/** A delivery as the API gives it. */
export function presentDelivery({ created_at, updated_at, attempts, ...delivery }: ListedDelivery) {
  return {
    ...delivery,
    attempts: attempts.map((attempt) => ({ ...attempt, at: new Date(attempt.at).toISOString() })),
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  };
}
