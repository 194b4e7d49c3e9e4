export type MicroBatchOptions = {
  /** In one batch. */
  maxItems: number;
  /** If a batch takes longer, the next one may start beside it. */
  overlapAfterMs: number;
  /** Whether a single item may have made the whole batch fail, and nothing of the batch was done. */
  mayRetryAlone(error: unknown): boolean;
};

/**
 * Processes an item in a batch with others. Two items that share a lock name are never processed at once: the second waits
 * until the first is done.
 */
export type MicroBatcher<Item, Result> = (item: Item, lockNames: readonly string[]) => Promise<Result>;

type QueuedItem<Item, Result> = {
  item: Item;
  lockNames: readonly string[];
  deferred: PromiseWithResolvers<Result>;
};

/** Batches that run at once; each holds a database connection. */
const maxRunning = 2;

/**
 * Collects the items that arrive while a batch is running, and processes them as the next batch. So a busy site needs few
 * transactions, and a quiet one answers at once. `work` returns the result of each item. DataLoader would batch only what
 * arrives in one turn of the event loop.
 */
export function createMicroBatcher<Item extends object, Result>(
  { maxItems, overlapAfterMs, mayRetryAlone }: MicroBatchOptions,
  work: (items: readonly Item[]) => Promise<ReadonlyMap<Item, Result>>,
): MicroBatcher<Item, Result> {
  type Entry = QueuedItem<Item, Result>;
  let waiting: Entry[] = [];
  let running = 0;
  let lastStartMs = 0;
  let isStarting = false;
  const busyNames = new Set<string>();

  /** Takes the items of the next batch. No item overtakes an earlier one that waits for a lock name they share. */
  const takeBatch = (): Entry[] => {
    const batch: Entry[] = [];
    const awaitedNames = new Set<string>();
    waiting = waiting.filter((entry) => {
      const isBlocked = entry.lockNames.some((name) => busyNames.has(name) || awaitedNames.has(name));
      const mustWait = isBlocked || batch.length === maxItems;
      for (const name of entry.lockNames) (mustWait ? awaitedNames : busyNames).add(name);
      if (!mustWait) batch.push(entry);
      return mustWait;
    });
    return batch;
  };

  const settleAll = async (batch: readonly Entry[]): Promise<void> => {
    try {
      const results = await work(batch.map(({ item }) => item));
      for (const { item, deferred } of batch) deferred.resolve(results.get(item)!);
    } catch (error) {
      if (batch.length > 1 && mayRetryAlone(error)) for (const entry of batch) await settleAll([entry]);
      else for (const { deferred } of batch) deferred.reject(error);
    }
  };

  const run = async (batch: readonly Entry[]): Promise<void> => {
    running += 1;
    lastStartMs = performance.now();
    const timer = setTimeout(startSoon, overlapAfterMs + 1).unref();
    await settleAll(batch);
    clearTimeout(timer);
    running -= 1;
    for (const name of batch.flatMap(({ lockNames }) => lockNames)) busyNames.delete(name);
    startSoon();
  };

  const mayStart = () =>
    running === 0 || (running < maxRunning && performance.now() - lastStartMs >= overlapAfterMs);

  /** Starts after the current turn of the event loop, so that everything that arrives in it shares a batch. */
  const startSoon = () => {
    if (isStarting) return;
    isStarting = true;
    setImmediate(() => {
      isStarting = false;
      while (mayStart()) {
        const batch = takeBatch();
        if (batch.length === 0) return;
        void run(batch);
      }
    });
  };

  return (item, lockNames) => {
    const deferred = Promise.withResolvers<Result>();
    waiting.push({ item, lockNames, deferred });
    startSoon();
    return deferred.promise;
  };
}
