import DataLoader from 'dataloader';

/**
 * Gives a function for one key. Keys asked for in the same turn of the event loop share one query, so a busy site does not ask
 * the database dozens of times at once.
 * @param loadAll returns a value for each key that it knows.
 */
export function createBatchLoader<Value>(
  loadAll: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
): (key: string) => Promise<Value | undefined> {
  const loader = new DataLoader<string, Value | undefined>(
    async (keys) => {
      const values = await loadAll(keys);
      return keys.map((key) => values.get(key));
    },
    // No cache: each answer must be newer than its call.
    { cache: false, batchScheduleFn: setImmediate },
  );
  return (key) => loader.load(key);
}
