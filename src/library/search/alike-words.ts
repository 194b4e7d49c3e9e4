import type { AlikeWord } from '../catalogue/vocabulary.ts';

const alikeEnough = 0.5;
const mostSlips = 2;
/** In a shorter word, two slips make another word of it. */
const shortestWithSlips = 5;
const mostAlike = 3;

/**
 * Of words that are like another one, the most alike first, those that were probably meant. Only a very near miss counts:
 * a word that is a slip or two away, or has most of its parts in common.
 */
export function nearMisses(word: string, alike: readonly AlikeWord[]): string[] {
  const near = alike.filter(
    (each) =>
      each.similarity >= alikeEnough ||
      (word.length >= shortestWithSlips && slipsBetween(word, each.alike) <= mostSlips),
  );
  return near.slice(0, mostAlike).map((each) => each.alike);
}

/** Levenshtein's distance: how many letters are added, left out or exchanged. */
export function slipsBetween(one: string, other: string): number {
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
