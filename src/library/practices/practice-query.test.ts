import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { distinctiveWords, inTsquery, practiceWords } from './practice-query.ts';

describe('a search for practices', () => {
  it('has each word once, in lower case and without signs', () => {
    expect(practiceWords(" St. Mary’s  Café–Médical & st MARY'S ")).toEqual([
      'st',
      'marys',
      'cafe',
      'medical',
    ]);
    expect(practiceWords("& | ! :* () <-> ' \\ \0 %_")).toEqual([]);
  });

  it('has only a few words of a long text', () => {
    expect(practiceWords('a b c d e f g h i j k l m n o p')).toHaveLength(8);
  });

  it('ignores words of nearly every practice', () => {
    expect(distinctiveWords([['infirmary'], ['the'], ['lane', 'line'], ['practices', 'practice']])).toEqual([
      ['infirmary'],
      ['lane', 'line'],
    ]);
    expect(distinctiveWords([['the'], ['surgery']])).toEqual([['the'], ['surgery']]);
  });

  it('contains no operators but its own', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (typed) => {
        const words = practiceWords(typed).map((word) => [word]);
        const query = inTsquery({ wanted: 'all', words });
        expect(query).toMatch(/^(\([\p{L}\p{N}]+:\*\)( & (?=\()|$))*$/u);
      }),
    );
  });
});
