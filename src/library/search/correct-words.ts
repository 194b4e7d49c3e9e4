import type { Db } from '../../platform/database/index.ts';
import { findAlikeWords } from './store.ts';
import { isCorrectable } from './text-query.ts';

const alikeEnough = 0.5;
const mostSlips = 2;
/** In a shorter word, two slips make another word of it. */
const shortestWithSlips = 5;

/**
 * For words that the library does not know, what was probably meant. Only a very near miss is corrected: one that has
 * most of its parts in common with a word of the library, or is a slip or two away from it.
 */
export async function correctWords(db: Db, words: readonly string[]): Promise<Map<string, string>> {
  const corrections = new Map<string, string>();
  for (const { word, alike, similarity } of await findAlikeWords(db, words.filter(isCorrectable))) {
    const near = word.length >= shortestWithSlips && slipsBetween(word, alike) <= mostSlips;
    if (!corrections.has(word) && (near || similarity >= alikeEnough)) corrections.set(word, alike);
  }
  return corrections;
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
