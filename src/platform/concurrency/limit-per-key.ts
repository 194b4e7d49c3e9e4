import pLimit, { type LimitFunction } from 'p-limit';

/** Runs at most `max` tasks of one key at a time. Tasks of other keys do not wait for them. */
export function createLimitPerKey(max: number): <T>(key: string, task: () => Promise<T>) => Promise<T> {
  const limits = new Map<string, LimitFunction>();
  return async (key, task) => {
    const limit = limits.get(key) ?? pLimit(max);
    limits.set(key, limit);
    try {
      return await limit(task);
    } finally {
      if (limit.activeCount + limit.pendingCount === 0) limits.delete(key);
    }
  };
}
