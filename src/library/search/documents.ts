import { LRUCache } from 'lru-cache';
import { askTogether } from '../../platform/ask-together.ts';
import type { Db } from '../../platform/database/index.ts';
import { oneForEach } from '../../platform/one-for-each.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { type DocumentForm, findDocuments } from './documents-store.ts';

/** Letters that are kept: those of every service in England in short, and of five thousand in full. */
const mostLetters: Readonly<Record<DocumentForm, number>> = { summary: 20_000_000, document: 10_000_000 };
const lettersOfAnEntry = 100;

/** A service that changes gets another ordinal, so that what is kept under one is right as long as the catalogue is. */
type Kept = LRUCache<number, string>;

/** The JSON texts of services by their ordinals; none of one that was deleted just now. At once where all are known. */
export function documentsOf(
  db: Db,
  catalogue: Catalogue,
  form: DocumentForm,
  ordinals: readonly number[],
): (string | undefined)[] | Promise<(string | undefined)[]> {
  const memory = memoryOf(catalogue)[form];
  const known = ordinals.map((ordinal) => memory.get(ordinal));
  if (!known.includes(undefined)) return known;
  return Promise.all(
    known.map((text, index) => {
      const ordinal = ordinals[index]!;
      return text ?? askFor(db, memory, form, catalogue.ids.at(ordinal), ordinal);
    }),
  );
}

async function askFor(
  db: Db,
  memory: Kept,
  form: DocumentForm,
  id: string,
  ordinal: number,
): Promise<string | undefined> {
  const document = await questionsOf(db)[form](id);
  if (document !== undefined) memory.set(ordinal, document);
  return document;
}

const questionsOf = oneForEach((db: Db) => ({
  summary: askTogether((ids) => findDocuments(db, 'summary', ids)),
  document: askTogether((ids) => findDocuments(db, 'document', ids)),
}));

const memoryOf = oneForEach((_: Catalogue) => ({
  summary: emptyMemory('summary'),
  document: emptyMemory('document'),
}));

function emptyMemory(form: DocumentForm): Kept {
  return new LRUCache<number, string>({
    maxSize: mostLetters[form],
    sizeCalculation: ({ length }) => length + lettersOfAnEntry,
  });
}
