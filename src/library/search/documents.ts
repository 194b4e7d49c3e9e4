import { LRUCache } from 'lru-cache';
import { askTogether } from '../../platform/ask-together.ts';
import type { Db } from '../../platform/database/index.ts';
import { oneForEach } from '../../platform/one-for-each.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { findDocuments } from './documents-store.ts';

/** Letters that are kept: those of five thousand services in full. */
const mostLetters = 10_000_000;
const lettersOfAnEntry = 100;

/** The full JSON texts of services by their ordinals; none of one that was deleted just now. At once where all are known. */
export function documentsOf(
  db: Db,
  catalogue: Catalogue,
  ordinals: readonly number[],
): (string | undefined)[] | Promise<(string | undefined)[]> {
  const memory = memoryOf(catalogue);
  const known = ordinals.map((ordinal) => memory.get(ordinal));
  if (!known.includes(undefined)) return known;
  return Promise.all(
    known.map((text, index) => {
      const ordinal = ordinals[index]!;
      return text ?? askFor(db, catalogue, ordinal);
    }),
  );
}

async function askFor(db: Db, catalogue: Catalogue, ordinal: number): Promise<string | undefined> {
  const document = await questionOf(db)(catalogue.ids.at(ordinal));
  if (document !== undefined) memoryOf(catalogue).set(ordinal, document);
  return document;
}

const questionOf = oneForEach((db: Db) => askTogether((ids) => findDocuments(db, ids)));

/** A service that changes gets another ordinal, so that what is kept under one is right as long as the catalogue is. */
const memoryOf = oneForEach(
  (_: Catalogue) =>
    new LRUCache<number, string>({
      maxSize: mostLetters,
      sizeCalculation: ({ length }) => length + lettersOfAnEntry,
    }),
);
