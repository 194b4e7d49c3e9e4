import { LRUCache } from 'lru-cache';
import { askTogether } from '../../platform/ask-together.ts';
import type { Db } from '../../platform/database/index.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { type DocumentForm, findDocuments } from './documents-store.ts';

/** Letters that are kept: those of every service in England in short, and of five thousand in full. */
const mostLetters: Readonly<Record<DocumentForm, number>> = { summary: 20_000_000, document: 10_000_000 };
const lettersOfAnEntry = 100;

/** A service that changes gets another ordinal, so that what is kept under one is right as long as the catalogue is. */
type Kept = LRUCache<number, string>;
const kept = new WeakMap<Catalogue, Record<DocumentForm, Kept>>();

type Ask = (id: string) => Promise<string | undefined>;
const questions = new WeakMap<Db, Record<DocumentForm, Ask>>();

/** The JSON texts of services by their ordinals; none of one that was deleted just now. */
export function documentsOf(
  db: Db,
  catalogue: Catalogue,
  form: DocumentForm,
  ordinals: readonly number[],
): Promise<(string | undefined)[]> {
  const memory = memoryOf(catalogue)[form];
  return Promise.all(
    ordinals.map(
      (ordinal) => memory.get(ordinal) ?? askFor(db, memory, form, catalogue.ids[ordinal]!, ordinal),
    ),
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

function questionsOf(db: Db): Record<DocumentForm, Ask> {
  const known = questions.get(db);
  if (known) return known;
  const asking = {
    summary: askTogether((ids) => findDocuments(db, 'summary', ids)),
    document: askTogether((ids) => findDocuments(db, 'document', ids)),
  };
  questions.set(db, asking);
  return asking;
}

function memoryOf(catalogue: Catalogue): Record<DocumentForm, Kept> {
  const known = kept.get(catalogue);
  if (known) return known;
  const make = (form: DocumentForm) =>
    new LRUCache<number, string>({
      maxSize: mostLetters[form],
      sizeCalculation: ({ length }) => length + lettersOfAnEntry,
    });
  const memory = { summary: make('summary'), document: make('document') };
  kept.set(catalogue, memory);
  return memory;
}
