import { describe, expect, it } from 'vitest';
import { likelyCorrections } from './spelling.ts';

describe('a near miss', () => {
  it.each([
    ['bereavment', 'bereavement', 0.4, true],
    ['befreinding', 'befriending', 0.4, true],
    ['husband', 'hand', 0.4, false],
    ['husband', 'husbands', 0.7, true],
    ['bank', 'tank', 0.4, false],
  ])('corrects %s to %s, alike by %d: %s', (typed, word, similarity, isNear) => {
    expect(likelyCorrections(typed, [{ candidate: word, similarity }])).toEqual(isNear ? [word] : []);
  });
});
