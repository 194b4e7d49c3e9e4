import { withoutInvisible } from '../../platform/visible-text.ts';

/** The lengths of words worth completing. Longer ones are not words. */
const minWordLength = 4;
const maxWordLength = 30;

/** What PostgreSQL recognises these words by. */
export const searchWordPattern = `^[a-z]{${minWordLength},${maxWordLength}}$`;

/** Whether {@link wordsOf} would return the word. */
export function isSearchWord(word: string): boolean {
  return word.length >= minWordLength && word.length <= maxWordLength && /^[a-z]+$/.test(word);
}

/** The words of a text, in lower case and without accents, each once. */
export function wordsOf(text: string): Set<string> {
  const words = new Set<string>();
  for (const word of foldText(text).match(/[a-z]+/g) ?? []) {
    if (word.length >= minWordLength && word.length <= maxWordLength) words.add(word);
  }
  return words;
}

/** Letters that `NFD` does not split into a letter and an accent, such as ø and ß, as PostgreSQL's `unaccent` writes them. */
const plainLetters: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ ª: 'a', º: 'o', æ: 'ae', ð: 'd', ø: 'o', þ: 'th', ß: 'ss', đ: 'd', ħ: 'h', ı: 'i', ĳ: 'ij', ĸ: 'q' },
    ...{ ŀ: 'l', ł: 'l', ŉ: "'n", ŋ: 'n', œ: 'oe', ŧ: 't', ſ: 's' },
  }),
);
const plainLetter = new RegExp(`[${[...plainLetters.keys()].join('')}]`, 'gu');

/**
 * Lower case, and Latin letters without accents. Those of European languages (up to U+017F) become what `plain_text`
 * (library.sql) makes of them. In other scripts, marks that look like accents are part of the letter.
 */
export function foldText(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  return text
    .normalize('NFD')
    .replaceAll(/(\p{Script=Latin})\p{M}+/gu, '$1')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(plainLetter, (letter) => plainLetters.get(letter)!);
}

function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text);
}

/** Letters of scripts that put no spaces between words: Chinese, Japanese, Thai and others. For regular expressions with `v`. */
export const writtenWithoutSpaces =
  '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}]';
const heardWord = new RegExp(
  `${writtenWithoutSpaces}\\p{M}*|[[\\p{L}\\p{N}]--${writtenWithoutSpaces}][[\\p{L}\\p{N}\\p{M}]--${writtenWithoutSpaces}]*`,
  'gv',
);

/**
 * The words of a text that may tell of a danger. It finds them even with a soft hyphen or another invisible character inside, with wide
 * letters, or with another kind of apostrophe. In scripts without spaces, each letter is a word.
 */
export function dangerWords(text: string): string[] {
  const plain = foldText(withoutInvisible(text.replaceAll(/[`´ʼ′＇]/g, "'").normalize('NFKC')));
  return (isAscii(plain) ? plain : plainScripts(plain)).replaceAll(/['’‘]/g, '').match(heardWord) ?? [];
}

/** The letters of Arabic script that people write in several ways, and the dots below letters of Indian scripts that many leave out. */
const sameLetters: readonly [RegExp, string][] = [
  [/[\u064b-\u065f\u0670\u0640]/g, ''],
  [/[أإآٱ]/g, 'ا'],
  [/[ىی]/g, 'ي'],
  [/[ةہھۃە]/g, 'ه'],
  [/ک/g, 'ك'],
  [/[\u093c\u09bc\u0a3c\u0abc]/g, ''],
  // “And”, “with the” and “the” are written as part of an Arabic word.
  [/(?<![\p{L}\p{M}])[وف](?=\p{Script=Arabic}{4})/gu, ''],
  [/(?<![\p{L}\p{M}])(بال|كال|لل|ال)(?=\p{Script=Arabic}{3})/gu, ''],
];

function plainScripts(text: string): string {
  return sameLetters.reduce((left, [letters, letter]) => left.replaceAll(letters, letter), text);
}

/** The typed words in their order, made as `practice_text` (library.sql) makes them. */
export function typedWords(typed: string): string[] {
  return (
    foldText(typed)
      .replaceAll(/['’‘]/g, '')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}
