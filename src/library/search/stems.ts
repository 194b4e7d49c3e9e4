import { LRUCache } from 'lru-cache';
import { askTogether } from '../../platform/ask-together.ts';
import type { Db } from '../../platform/database/index.ts';
import { oneForEach } from '../../platform/one-for-each.ts';
import type { Vocabulary } from '../catalogue/vocabulary.ts';
import { findStems } from './words-store.ts';

/** Of words that no service spells. What a word's stem is does not change. */
const stems = new LRUCache<string, string>({ max: 20_000 });

const askOf = oneForEach((db: Db) => askTogether((words) => findStems(db, words)));

/** The stems of words, each of which PostgreSQL is asked for once. */
export function stemsOf(db: Db, vocabulary: Vocabulary, words: readonly string[]): Promise<string[]> {
  return Promise.all(words.map((word) => vocabulary.stemOf(word) ?? stems.get(word) ?? askFor(db, word)));
}

async function askFor(db: Db, word: string): Promise<string> {
  const stem = (await askOf(db)(word))!;
  stems.set(word, stem);
  return stem;
}
