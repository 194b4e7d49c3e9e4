import fc from 'fast-check';
import { expect, test } from 'vitest';
import { distinctiveWords, inTsquery, practiceWords } from './practice-query.ts';

test('words are in small letters, without accents, apostrophes and signs, each once', () => {
  expect(practiceWords(" St. Mary’s  Café–Médical & st MARY'S ")).toEqual(['st', 'marys', 'cafe', 'medical']);
  expect(practiceWords("& | ! :* () <-> ' \\ \0 %_")).toEqual([]);
});

test('a long text has a few words only, since each of them is looked for', () => {
  expect(practiceWords('a b c d e f g h i j k l m n o p')).toHaveLength(8);
});

test('words that nearly every practice has tell nothing, unless there are no others', () => {
  expect(distinctiveWords([['infirmary'], ['the'], ['lane', 'line'], ['practices', 'practice']])).toEqual([
    ['infirmary'],
    ['lane', 'line'],
  ]);
  expect(distinctiveWords([['the'], ['surgery']])).toEqual([['the'], ['surgery']]);
});

test('whatever is typed, the query has no operators but its own', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (typed) => {
      const words = practiceWords(typed).map((word) => [word]);
      const query = inTsquery({ wanted: 'all', words });
      expect(query).toMatch(/^(\([\p{L}\p{N}]+:\*\)( & (?=\()|$))*$/u);
    }),
  );
});
