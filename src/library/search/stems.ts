import { LRUCache } from 'lru-cache';
import { askTogether } from '../../platform/ask-together.ts';
import type { Db } from '../../platform/database/index.ts';
import type { Vocabulary } from '../catalogue/vocabulary.ts';
import { findStems } from './words-store.ts';

/** Of words that no service spells. What a word's stem is does not change. */
const stems = new LRUCache<string, string>({ max: 20_000 });

const questions = new WeakMap<Db, (word: string) => Promise<string | undefined>>();

/** The stems of words, each of which PostgreSQL is asked for once. */
export function stemsOf(db: Db, vocabulary: Vocabulary, words: readonly string[]): Promise<string[]> {
  return Promise.all(words.map((word) => vocabulary.stemOf(word) ?? stems.get(word) ?? askFor(db, word)));
}

async function askFor(db: Db, word: string): Promise<string> {
  const ask = questions.get(db) ?? askTogether((words) => findStems(db, words));
  questions.set(db, ask);
  const stem = (await ask(word))!;
  stems.set(word, stem);
  return stem;
}
