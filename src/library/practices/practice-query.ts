import { typedWords } from '../model/words.ts';

/**
 * A search for practices. Each word has alternatives, and every one may be unfinished. With `all`, a practice must match all
 * words; with `any`, one of them.
 */
export type PracticeQuery = { wanted: 'all' | 'any'; words: readonly (readonly string[])[] };

const maxWords = 8;
const minDistinctiveLength = 3;

/** Words that many practices have in their names, so they do not help to tell them apart. */
const commonWords = new Set(
  'and centre center clinic doctor doctors dr family gp group health house medical of partners partnership practice street surgery the'.split(
    ' ',
  ),
);

/** The typed words, each once. */
export function practiceWords(typed: string): string[] {
  return [...new Set(typedWords(typed))].slice(0, maxWords);
}

/** The words without common and very short ones; all of them if there are no others. */
export function distinctiveWords(words: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const distinctive = words.filter(
    (alternatives) =>
      !alternatives.some((word) => commonWords.has(word) || word.length < minDistinctiveLength),
  );
  return distinctive.length > 0 ? distinctive : words;
}

/** The query for `to_tsquery`. Its words are letters and digits, so nobody can inject an operator. */
export function inTsquery({ wanted, words }: PracticeQuery, weight: 'A' | '' = ''): string {
  const each = words.map(
    (alternatives) => `(${alternatives.map((word) => `${word}:*${weight}`).join(' | ')})`,
  );
  return each.join(wanted === 'all' ? ' & ' : ' | ');
}
