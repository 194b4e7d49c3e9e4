import { describe, expect, it } from 'vitest';
import { groupIntoBatches } from './handle-by-organization.ts';

describe('what is overdue at many organisations', () => {
  it('is worked on in batches that stay below a limit', () => {
    const counts = { a: 3, b: 7, c: 1, d: 9, e: 2 };
    const organizations = Object.entries(counts).map(([id, count]) => ({ id, count }));
    expect(groupIntoBatches(organizations, 10)).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
  });

  it('has several batches for one organisation with very much', () => {
    const organizations = [
      { id: 'small', count: 1 },
      { id: 'large', count: 21 },
      { id: null, count: 2 },
    ];
    expect(groupIntoBatches(organizations, 10)).toEqual([['small'], ['large'], ['large'], ['large'], [null]]);
  });
});
