import { expect, test } from 'vitest';
import { batchLoader } from './batch-loader.ts';

test('keys of one turn share one query, and each gets its own value or none', async () => {
  const queries: (readonly string[])[] = [];
  const load = batchLoader(async (keys) => {
    queries.push(keys);
    return new Map(keys.filter((key) => key !== 'unknown').map((key) => [key, key.length]));
  });
  expect(await Promise.all([load('one'), load('three'), load('unknown')])).toEqual([3, 5, undefined]);
  expect(queries).toEqual([['one', 'three', 'unknown']]);
  expect(await load('one')).toBe(3);
  expect(queries).toHaveLength(2);
});

test('a failed query fails for all who asked, and for nobody after them', async () => {
  let fails = true;
  const load = batchLoader(async () => {
    if (fails) throw new Error('away');
    return new Map([['a', 1]]);
  });
  expect((await Promise.allSettled([load('a'), load('a')])).map(({ status }) => status)).toEqual([
    'rejected',
    'rejected',
  ]);
  fails = false;
  expect(await load('a')).toBe(1);
});
