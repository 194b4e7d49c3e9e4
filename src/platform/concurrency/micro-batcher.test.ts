import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { until } from '../../../test/app/until.ts';
import { createMicroBatcher, type MicroBatchOptions } from './micro-batcher.ts';

type Item = { id: string };
const limits: MicroBatchOptions = { maxItems: 3, overlapAfterMs: 60_000, mayRetryAlone: () => false };

const answers = (items: readonly Item[]) => new Map(items.map((item) => [item, `${item.id} is done`]));

/** A batcher that takes a while over each batch, and the batches it has worked on. */
function slowBatcher(given: Partial<MicroBatchOptions> = {}) {
  const batches: string[][] = [];
  const batcher = createMicroBatcher({ ...limits, ...given }, async (items: readonly Item[]) => {
    batches.push(items.map(({ id }) => id));
    await delay(5);
    return answers(items);
  });
  return { batches, add: (id: string, names: string[] = []) => batcher({ id }, names) };
}

describe('a micro-batcher', () => {
  it('makes one batch of what arrives meanwhile, up to its limit', async () => {
    const mayEnd = Promise.withResolvers<void>();
    const batches: string[][] = [];
    const batcher = createMicroBatcher(limits, async (items: readonly Item[]) => {
      batches.push(items.map(({ id }) => id));
      await mayEnd.promise;
      return answers(items);
    });
    const add = (id: string) => batcher({ id }, []);
    const first = add('a');
    await until(() => batches.length === 1);
    const others = ['b', 'c', 'd', 'e'].map(add);
    mayEnd.resolve();
    expect(await Promise.all([first, ...others])).toEqual(
      ['a', 'b', 'c', 'd', 'e'].map((id) => `${id} is done`),
    );
    expect(batches).toEqual([['a'], ['b', 'c', 'd'], ['e']]);
  });

  it('starts one more batch, and no third, beside a slow one', async () => {
    const mayEnd = Promise.withResolvers<void>();
    const started: string[] = [];
    const add = createMicroBatcher(
      { ...limits, maxItems: 1, overlapAfterMs: 5 },
      async (items: readonly Item[]) => {
        started.push(...items.map(({ id }) => id));
        await mayEnd.promise;
        return answers(items);
      },
    );
    const all = Promise.all(['a', 'b', 'c'].map((id) => add({ id }, [])));
    await until(() => started.length > 1);
    await delay(50);
    expect(started).toEqual(['a', 'b']);
    mayEnd.resolve();
    expect(await all).toHaveLength(3);
  });

  it('never works on two items with a common lock name at once', async () => {
    const { batches, add } = slowBatcher({ overlapAfterMs: 0 });
    await Promise.all([add('a', ['x']), add('b', ['y', 'x']), add('c', ['z'])]);
    expect(batches).toEqual([['a', 'c'], ['b']]);
  });

  it('lets no item overtake one that waits for a common lock name', async () => {
    const { batches, add } = slowBatcher({ overlapAfterMs: 0 });
    await Promise.all([add('a', ['x']), add('b', ['x', 'y']), add('c', ['y'])]);
    expect(batches).toEqual([['a'], ['b'], ['c']]);
  });
});

describe('a batch that fails', () => {
  const failingBatcher = (mayRetryAlone: boolean) => {
    const batches: string[][] = [];
    const batcher = createMicroBatcher(
      { ...limits, mayRetryAlone: () => mayRetryAlone },
      async (items: readonly Item[]) => {
        const ids = items.map(({ id }) => id);
        batches.push(ids);
        if (ids.includes('b')) throw new Error('broken');
        return answers(items);
      },
    );
    const results = () => Promise.allSettled(['a', 'b', 'c'].map((id) => batcher({ id }, [])));
    return { batches, statuses: async () => (await results()).map(({ status }) => status) };
  };

  it('is done again one by one where a single item may be at fault', async () => {
    const { batches, statuses } = failingBatcher(true);
    expect(await statuses()).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(batches).toEqual([['a', 'b', 'c'], ['a'], ['b'], ['c']]);
  });

  it('fails for every item otherwise', async () => {
    const { batches, statuses } = failingBatcher(false);
    expect(await statuses()).toEqual(['rejected', 'rejected', 'rejected']);
    expect(batches).toEqual([['a', 'b', 'c']]);
  });
});
