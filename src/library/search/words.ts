/** The shortest word that is worth correcting or completing, and the longest that is a word at all. */
export const shortestWord = 4;
const longestWord = 30;

/** The words of a text, in small letters and without accents, each once. */
export function wordsOf(text: string): Set<string> {
  const words = new Set<string>();
  for (const [word] of plain(text).matchAll(/[a-z]+/g)) {
    if (word.length >= shortestWord && word.length <= longestWord) words.add(word);
  }
  return words;
}

/** Small letters without accents: what PostgreSQL's `unaccent` makes of the Latin ones. */
export function plain(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}
