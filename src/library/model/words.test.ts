import { describe, expect, it } from 'vitest';
import { mustEnd } from '../../../test/app/must-end.ts';
import { likelyCorrections } from './spelling.ts';
import { typedWords, wordsOf } from './words.ts';

describe('words', () => {
  it('are split as the library spells them, without apostrophes', () => {
    expect(typedWords("She can’t pay her neighbour's CAFÉ bill! 🙂 لاجئ")).toEqual([
      ...['she', 'cant', 'pay', 'her', 'neighbours', 'cafe', 'bill', 'لاجئ'],
    ]);
  });

  it('lose any number of accents before anybody would give up', () => {
    // A pattern that looks back over all marks for each one would take hours.
    for (const letter of ['e', 'א']) mustEnd(() => wordsOf(letter + '\u0301'.repeat(2_000_000)));
    expect([...wordsOf('Mañana à la crème brûlée, Nguyễn')]).toEqual([
      ...['manana', 'creme', 'brulee', 'nguyen'],
    ]);
  });
});

describe('a near miss', () => {
  it.each([
    ['bereavment', 'bereavement', 0.4, true],
    ['befreinding', 'befriending', 0.4, true],
    ['husband', 'hand', 0.4, false],
    ['husband', 'husbands', 0.7, true],
    ['bank', 'tank', 0.4, false],
  ])('of %s to %s with similarity %d is made: %s', (typed, word, similarity, isNear) => {
    expect(likelyCorrections(typed, [{ word, similarity }])).toEqual(isNear ? [word] : []);
  });
});
