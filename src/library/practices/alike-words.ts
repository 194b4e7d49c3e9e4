import type { Db } from '../../platform/database/index.ts';
import { slipsBetween } from '../search/correct-words.ts';
import { findAlikePracticeWords } from './search-store.ts';

const alikeEnough = 0.5;
const mostSlips = 2;
/** In a shorter word, two slips make another word of it. */
const shortestWithSlips = 5;
const mostAlike = 3;

/** For each word that no practice has, what was probably meant: words that are a slip or two away, or very like it. */
export async function alikeWords(db: Db, words: readonly string[]): Promise<Map<string, string[]>> {
  const meant = new Map<string, string[]>();
  const correctable = words.filter((word) => /^[a-z]{4,30}$/.test(word));
  for (const { word, alike, similarity } of await findAlikePracticeWords(db, correctable)) {
    const near = word.length >= shortestWithSlips && slipsBetween(word, alike) <= mostSlips;
    const others = meant.get(word) ?? [];
    if ((near || similarity >= alikeEnough) && others.length < mostAlike) meant.set(word, [...others, alike]);
  }
  return meant;
}
