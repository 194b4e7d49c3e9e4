import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { done, inBatches, refused, type Settled } from './in-batches.ts';

const limits = { most: 3, batches: 1, mayBeOnes: () => false };

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

test('several batches run at a time where that is wanted', async () => {
  let running = 0;
  let most = 0;
  const ask = inBatches({ ...limits, most: 1, batches: 2 }, async (items: readonly string[]) => {
    most = Math.max(most, ++running);
    await delay(5);
    running -= 1;
    return items.map(done);
  });
  await Promise.all(['a', 'b', 'c'].map((item) => ask(item, [])));
  expect(most).toBe(2);
});

test('two with a name in common are never at work together; others do not wait for them', async () => {
  const batches: string[][] = [];
  const ask = inBatches({ ...limits, batches: 2 }, noting(batches));
  await Promise.all([ask('a', ['x']), ask('b', ['y', 'x']), ask('c', ['z'])]);
  expect(batches).toEqual([['a', 'c'], ['b']]);
});

test('nobody overtakes one that waits for a name that both have', async () => {
  const batches: string[][] = [];
  const ask = inBatches({ ...limits, batches: 2 }, noting(batches));
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
