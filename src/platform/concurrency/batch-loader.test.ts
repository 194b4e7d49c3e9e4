import { describe, expect, it } from 'vitest';
import { createBatchLoader } from './batch-loader.ts';

describe('a batch loader', () => {
  it('shares one query among the keys of one turn', async () => {
    const queries: (readonly string[])[] = [];
    const load = createBatchLoader(async (keys) => {
      queries.push(keys);
      return new Map(keys.filter((key) => key !== 'unknown').map((key) => [key, key.length]));
    });
    expect(await Promise.all([load('one'), load('three'), load('unknown')])).toEqual([3, 5, undefined]);
    expect(queries).toEqual([['one', 'three', 'unknown']]);
    expect(await load('one')).toBe(3);
    expect(queries).toHaveLength(2);
  });

  it('fails for every caller of a failed query, and for none later', async () => {
    let fails = true;
    const load = createBatchLoader(async () => {
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
});
