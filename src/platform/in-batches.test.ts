import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { until } from '../../test/until.ts';
import { done, inBatches, refused, type Settled } from './in-batches.ts';

const limits = { most: 3, patienceMs: 60_000, mayBeOnes: () => false };

/** Notes each batch, and takes a while over it. */
function noting(batches: string[][], work: (item: string) => Settled<string> = done) {
  return async (items: readonly string[]) => {
    batches.push([...items]);
    await delay(5);
    return items.map(work);
  };
}

test('what comes meanwhile is one batch, up to its length, in its order', async () => {
  const batches: string[][] = [];
  const ask = inBatches(limits, noting(batches));
  const first = ask('a', []);
  await delay(1);
  const others = ['b', 'c', 'd', 'e'].map((item) => ask(item, []));
  expect(await Promise.all([first, ...others])).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(batches).toEqual([['a'], ['b', 'c', 'd'], ['e']]);
});

test('while one takes long, one more begins and no third', async () => {
  const goOn = Promise.withResolvers<void>();
  const begun: string[] = [];
  const ask = inBatches({ ...limits, most: 1, patienceMs: 5 }, async (items: readonly string[]) => {
    begun.push(...items);
    await goOn.promise;
    return items.map(done);
  });
  const all = Promise.all(['a', 'b', 'c'].map((item) => ask(item, [])));
  await until(() => begun.length > 1);
  await delay(50);
  expect(begun).toEqual(['a', 'b']);
  goOn.resolve();
  expect(await all).toEqual(['a', 'b', 'c']);
});

test('two with a name in common are never at work together; others do not wait for them', async () => {
  const batches: string[][] = [];
  const ask = inBatches({ ...limits, patienceMs: 0 }, noting(batches));
  await Promise.all([ask('a', ['x']), ask('b', ['y', 'x']), ask('c', ['z'])]);
  expect(batches).toEqual([['a', 'c'], ['b']]);
});

test('nobody overtakes one that waits for a name that both have', async () => {
  const batches: string[][] = [];
  const ask = inBatches({ ...limits, patienceMs: 0 }, noting(batches));
  await Promise.all([ask('a', ['x']), ask('b', ['x', 'y']), ask('c', ['y'])]);
  expect(batches).toEqual([['a'], ['b'], ['c']]);
});

test('one is refused, the others are not', async () => {
  const wrong = new Error('wrong');
  const ask = inBatches(
    limits,
    noting([], (item) => (item === 'b' ? refused(wrong) : done(item))),
  );
  const results = await Promise.allSettled(['a', 'b', 'c'].map((item) => ask(item, [])));
  expect(results).toEqual([done('a'), refused(wrong), done('c')]);
});

test('a batch that one may have broken is done again one by one; otherwise all of it has failed', async () => {
  const batches: string[][] = [];
  const broken = (mayBeOnes: boolean) =>
    inBatches({ ...limits, mayBeOnes: () => mayBeOnes }, async (items: readonly string[]) => {
      batches.push([...items]);
      if (items.includes('b')) throw new Error('broken');
      return items.map(done);
    });
  const statuses = async (ask: ReturnType<typeof broken>) =>
    (await Promise.allSettled(['a', 'b', 'c'].map((item) => ask(item, [])))).map(({ status }) => status);
  expect(await statuses(broken(true))).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(batches).toEqual([['a', 'b', 'c'], ['a'], ['b'], ['c']]);
  expect(await statuses(broken(false))).toEqual(['rejected', 'rejected', 'rejected']);
});
