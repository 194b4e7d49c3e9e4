import { editDistance } from '../../platform/edit-distance.ts';

/** A typed word, and a similar word of some practice, as measured by PostgreSQL's pg_trgm. */
export type SimilarWord = { word: string; candidate: string; similarity: number };

// The words of services are corrected in another way: search/typed-words/vocabulary.ts.

const minSimilarity = 0.5;
const maxEdits = 2;
/** Letters of the shortest word that may have errors. In a shorter one, two errors can make a different word. */
const minLengthForErrors = 5;
const maxCorrections = 3;

/**
 * The words that somebody probably meant: at most two spelling errors away, or with most trigrams in common. `similar` has
 * the most similar word first.
 */
export function likelyCorrections(word: string, similar: readonly Omit<SimilarWord, 'word'>[]): string[] {
  const likely = similar.filter(
    (each) =>
      each.similarity >= minSimilarity ||
      (word.length >= minLengthForErrors && editDistance(word, each.candidate) <= maxEdits),
  );
  return likely.slice(0, maxCorrections).map((each) => each.candidate);
}
