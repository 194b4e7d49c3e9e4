import { describe, expect, it } from 'vitest';
import { changesInWords } from './changes-in-words.ts';
import { happenedInWords } from './timeline.ts';

describe('a line of the history', () => {
  it('never calls a change the waiting list that is not', () => {
    const hidden = { from: 'accepted', to: 'accepted', reason: null };
    expect(happenedInWords(hidden)).toBe('Something was changed');
    expect(happenedInWords({ from: 'on-hold', to: 'on-hold', reason: null })).toBe('Something was changed');
    const wait = { from: 'on-hold', to: 'on-hold', reason: { code: 'other' } };
    expect(happenedInWords(wait)).toBe('Waiting list changed');
  });

  it('says what a field was before, but not what the reason was', () => {
    const changes = changesInWords([
      { field: 'patient.telephone', from: null, to: '01632 960987' },
      { field: 'reason', from: null, to: 'She has a new number' },
    ]);
    expect(changes).toEqual([
      { label: 'Telephone number', was: 'nothing', is: '01632 960987' },
      { label: 'Why', was: undefined, is: 'She has a new number' },
    ]);
  });
});
