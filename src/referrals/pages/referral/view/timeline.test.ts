import { describe, expect, it } from 'vitest';
import { happenedInWords } from './timeline.ts';

describe('a line of the history', () => {
  it('never calls a change the waiting list that is not', () => {
    const hidden = { from: 'accepted', to: 'accepted', reason: null };
    expect(happenedInWords(hidden)).toBe('Something was changed');
    expect(happenedInWords({ from: 'on-hold', to: 'on-hold', reason: null })).toBe('Something was changed');
    const wait = { from: 'on-hold', to: 'on-hold', reason: { code: 'other' } };
    expect(happenedInWords(wait)).toBe('Waiting list changed');
  });
});
