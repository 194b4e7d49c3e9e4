import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { minShownCount } from '../../platform/small-counts.ts';
import { hiddenCells, publishedCount } from './small-numbers.ts';

describe('a published count', () => {
  it.each([
    [0, 0],
    [1, null],
    [7, null],
    [8, 10],
    [12, 10],
    [13, 15],
    [1002, 1000],
  ])('shows %i as %j', (count, shown) => expect(publishedCount(count)).toBe(shown));
});

describe('hidden cells', () => {
  const cells = fc.dictionary(fc.stringMatching(/^[a-z]$/), fc.nat(40), { maxKeys: 10 });

  it('include each of 1 to 7', () => {
    fc.assert(
      fc.property(cells, (given) => {
        const all = new Map(Object.entries(given));
        const hidden = hiddenCells(all);
        for (const [name, count] of all)
          if (count > 0 && count < minShownCount) expect(hidden === undefined || hidden.has(name)).toBe(true);
      }),
    );
  });

  it('may each be 1 to 8 even if all other figures are known', () => {
    fc.assert(
      fc.property(cells, (given) => {
        const all = new Map(Object.entries(given));
        const hidden = hiddenCells(all);
        if (hidden === undefined || hidden.size === 0) return;
        const sum = [...hidden].reduce((total, name) => total + all.get(name)!, 0);
        // The others of the hidden ones are at least 1 each, and together the rest.
        expect(hidden.size).toBeGreaterThan(1);
        expect(sum - (hidden.size - 1)).toBeGreaterThanOrEqual(minShownCount);
      }),
    );
  });
});
