/** The shortest word that is worth correcting or completing, and the longest that is a word at all. */
const minWordLength = 4;
const maxWordLength = 30;

/** Whether a word is of the kind that is corrected and completed: those that {@link wordsOf} takes. */
export function isCorrectable(word: string): boolean {
  return word.length >= minWordLength && word.length <= maxWordLength && /^[a-z]+$/.test(word);
}

/** The words of a text, in small letters and without accents, each once. */
export function wordsOf(text: string): Set<string> {
  const words = new Set<string>();
  for (const word of foldText(text).match(/[a-z]+/g) ?? []) {
    if (word.length >= minWordLength && word.length <= maxWordLength) words.add(word);
  }
  return words;
}

/**
 * Small letters, the Latin ones without accents as PostgreSQL's `unaccent` makes them. What looks like an accent in other
 * scripts is part of the letter.
 */
export function foldText(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  return text
    .normalize('NFD')
    .replaceAll(/(\p{Script=Latin})\p{M}+/gu, '$1')
    .normalize('NFC')
    .toLowerCase();
}

function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text);
}

/** The words of what was typed, in their order, as `practice_text` (migration 0014) makes them of a text. */
export function typedWords(typed: string): string[] {
  return (
    foldText(typed)
      .replaceAll(/['’‘]/g, '')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}
