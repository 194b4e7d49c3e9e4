/** What became of one thing that was asked for: a value, or the reason why not. */
export type Settled<Result> = PromiseSettledResult<Result>;

export function done<Result>(value: Result): Settled<Result> {
  return { status: 'fulfilled', value };
}

export function refused(reason: unknown): PromiseRejectedResult {
  return { status: 'rejected', reason };
}

type Batching = {
  /** So many in one batch. */
  most: number;
  /** While one batch takes longer than this, another may begin. */
  patienceMs: number;
  /** Whether what was thrown for a whole batch may be the fault of one in it, and nothing of the batch was done. */
  mayBeOnes(error: unknown): boolean;
};

type Waiting<Item, Result> = {
  item: Item;
  names: readonly string[];
  settle: PromiseWithResolvers<Result>;
};

/** No more of the database's connections than this. */
const mostAtATime = 2;

/**
 * Does together what is asked for at the same time: while some are being done, those that come wait, and are then done
 * as one. So a busy site needs few transactions, and a quiet one answers at once; one that waits for something does not hold
 * up all others. Of two with a name in common the second waits for the end of the first, also where that waits itself.
 */
export function inBatches<Item, Result>(
  { most, patienceMs, mayBeOnes }: Batching,
  work: (items: readonly Item[]) => Promise<Settled<Result>[]>,
): (item: Item, names: readonly string[]) => Promise<Result> {
  type Each = Waiting<Item, Result>;
  let waiting: Each[] = [];
  let running = 0;
  let begunAtMs = 0;
  let begins = false;
  const busy = new Set<string>();

  const take = (): Each[] => {
    const taken: Each[] = [];
    const awaited = new Set<string>();
    waiting = waiting.filter((each) => {
      const waits = taken.length === most || each.names.some((name) => busy.has(name) || awaited.has(name));
      for (const name of each.names) (waits ? awaited : busy).add(name);
      if (!waits) taken.push(each);
      return waits;
    });
    return taken;
  };

  const doTogether = async (taken: readonly Each[]): Promise<void> => {
    try {
      const results = await work(taken.map(({ item }) => item));
      for (const [place, result] of results.entries()) {
        const { resolve, reject } = taken[place]!.settle;
        if (result.status === 'fulfilled') resolve(result.value);
        else reject(result.reason);
      }
    } catch (error) {
      if (taken.length > 1 && mayBeOnes(error)) for (const each of taken) await doTogether([each]);
      else for (const { settle } of taken) settle.reject(error);
    }
  };

  const run = async (taken: readonly Each[]): Promise<void> => {
    running += 1;
    begunAtMs = performance.now();
    const late = setTimeout(beginSoon, patienceMs + 1).unref();
    await doTogether(taken);
    clearTimeout(late);
    running -= 1;
    for (const name of taken.flatMap(({ names }) => names)) busy.delete(name);
    beginSoon();
  };

  const mayBegin = () =>
    running === 0 || (running < mostAtATime && performance.now() - begunAtMs >= patienceMs);

  /** When the turn is over, so that all that came in it are in one batch. */
  const beginSoon = () => {
    if (begins) return;
    begins = true;
    setImmediate(() => {
      begins = false;
      while (mayBegin()) {
        const taken = take();
        if (taken.length === 0) return;
        void run(taken);
      }
    });
  };

  return (item, names) => {
    const settle = Promise.withResolvers<Result>();
    waiting.push({ item, names, settle });
    beginSoon();
    return settle.promise;
  };
}
