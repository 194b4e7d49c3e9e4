/** A word, and how large a part of the trigrams it has in common with another, as PostgreSQL's pg_trgm measures it. */
export type SimilarWord = { word: string; similarity: number };

const minSimilarity = 0.5;
const maxMisspellings = 2;
/** In a shorter word, two slips make another word of it. */
const minLengthForMisspelling = 5;
const maxNearMisses = 3;

/**
 * Of words similar to another one, the most similar first, those that were probably meant: a word that is a slip or two
 * away, or has most of its trigrams in common.
 */
export function likelyCorrections(word: string, similar: readonly SimilarWord[]): string[] {
  const near = similar.filter(
    (each) =>
      each.similarity >= minSimilarity ||
      (word.length >= minLengthForMisspelling && slipsBetween(word, each.word) <= maxMisspellings),
  );
  return near.slice(0, maxNearMisses).map((each) => each.word);
}

/** Levenshtein's distance: how many letters are added, left out or exchanged. */
function slipsBetween(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const exchanged = above[column - 1]! + (one[row - 1] === other[column - 1] ? 0 : 1);
      current.push(Math.min(exchanged, above[column]! + 1, current[column - 1]! + 1));
    }
    above = current;
  }
  return above[other.length]!;
}
