import { typedWords } from '../model/words.ts';

/**
 * What practices are looked for by. Each word may be unfinished and stands beside others that would do as well; a
 * practice needs all of the words, or with `any` one of them.
 */
export type PracticeQuery = { wanted: 'all' | 'any'; words: readonly (readonly string[])[] };

const maxWords = 8;
const minDistinctiveLength = 3;

/** Words that so many practices have that they tell none from another. */
const commonWords = new Set(
  'and centre center clinic doctor doctors dr family gp group health house medical of partners partnership practice street surgery the'.split(
    ' ',
  ),
);

/** The words of what was typed, each once. */
export function practiceWords(typed: string): string[] {
  return [...new Set(typedWords(typed))].slice(0, maxWords);
}

/** The words without those that nearly every practice has, or the beginning of; all of them where there are no others. */
export function distinctiveWords(words: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const telling = words.filter(
    (alike) => !alike.some((word) => commonWords.has(word) || word.length < minDistinctiveLength),
  );
  return telling.length > 0 ? telling : words;
}

/** The query in the language of `to_tsquery`; its words are letters and digits, so no operator can be slipped in. */
export function inTsquery({ wanted, words }: PracticeQuery, weight: 'A' | '' = ''): string {
  const each = words.map((alike) => `(${alike.map((word) => `${word}:*${weight}`).join(' | ')})`);
  return each.join(wanted === 'all' ? ' & ' : ' | ');
}
