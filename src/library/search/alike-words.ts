import type { Db } from '../../platform/database/index.ts';
import { isCorrectable } from './words.ts';
import { findAlikeWords, type Vocabulary } from './words-store.ts';

const alikeEnough = 0.5;
const mostSlips = 2;
/** In a shorter word, two slips make another word of it. */
const shortestWithSlips = 5;
const mostAlike = 3;

/**
 * For each word that a vocabulary does not know, what was probably meant, the most alike first. Only a very near miss
 * counts: a word that is a slip or two away, or has most of its parts in common.
 */
export async function alikeWords(
  db: Db,
  vocabulary: Vocabulary,
  words: readonly string[],
): Promise<Map<string, string[]>> {
  const meant = new Map<string, string[]>();
  const found = await findAlikeWords(db, vocabulary, words.filter(isCorrectable));
  for (const { word, alike, similarity } of found) {
    const near = word.length >= shortestWithSlips && slipsBetween(word, alike) <= mostSlips;
    const others = meant.get(word) ?? [];
    if ((near || similarity >= alikeEnough) && others.length < mostAlike) meant.set(word, [...others, alike]);
  }
  return meant;
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
