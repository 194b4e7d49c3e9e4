import type { Db, Trx } from '../../platform/database/index.ts';
import { Catalogue } from './catalogue.ts';
import {
  everyRow,
  findSight,
  findSmall,
  listAllSynonyms,
  listAllTerms,
  listChangedIds,
  listRowsOf,
  listWords,
  type Sight,
} from './catalogue-store.ts';
import { Terms } from './terms.ts';

/** A catalogue, and what was seen of the database when it was made or brought up to date. */
export type Filled = { catalogue: Catalogue; sight: Sight; rows: { terms: number; synonyms: number } };

/** So many at once that nobody else waits for long while they are taken in. */
const atOnce = 250;

/** Reads the whole library. @param signal ends it where it is. */
export function fillCatalogue(db: Db, signal?: AbortSignal): Promise<Filled> {
  return seenAtOnce(db, async (trx) => {
    const sight = await findSight(trx);
    const catalogue = new Catalogue();
    addWords(catalogue, await listWords(trx));
    const rows = { terms: -1, synonyms: -1 };
    const filled = await readSmall(trx, { catalogue, sight, rows }, sight);
    for await (const found of everyRow(trx, atOnce)) {
      signal?.throwIfAborted();
      for (const row of found) catalogue.add(row);
    }
    catalogue.settle();
    return filled;
  });
}

/** Takes in what has changed since; undefined where that is so much that to read everything is faster. */
export function catchUp(db: Db, filled: Filled): Promise<Filled | undefined> {
  const { catalogue } = filled;
  const { snapshot } = filled.sight;
  return seenAtOnce(db, async (trx) => {
    const sight = await findSight(trx);
    const ids = await listChangedIds(trx, snapshot);
    if (ids.length > 2000 + catalogue.live / 2) return undefined;
    addWords(catalogue, await listWords(trx, snapshot));
    const now = await readSmall(trx, filled, sight);
    for (let from = 0; from < ids.length; from += atOnce) {
      const some = ids.slice(from, from + atOnce);
      const found = await listRowsOf(trx, some);
      for (const id of some) catalogue.remove(id);
      for (const row of found) catalogue.add(row);
    }
    return now;
  });
}

/** Whether so much of it came or went later that it is worth reading anew. */
export function isWorn({ size, live, filled }: Catalogue): boolean {
  const added = size - filled;
  const left = size - live;
  return added + left > 1000 + size / 4;
}

/** All that is read is of one moment; but where a transaction is under way, it is what that one sees. */
function seenAtOnce<T>(db: Db, read: (trx: Trx) => Promise<T>): Promise<T> {
  if (db.isTransaction) return read(db as Trx);
  return db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read);
}

function addWords({ vocabulary }: Catalogue, words: readonly { word: string; stem: string }[]): void {
  for (const { word, stem } of words) vocabulary.add(word, stem);
}

async function readSmall(trx: Trx, { catalogue, sight: then, rows }: Filled, sight: Sight): Promise<Filled> {
  const { terms, synonyms } = await findSmall(trx, then.snapshot);
  if (terms.isNew || terms.rows !== rows.terms) catalogue.terms = new Terms(await listAllTerms(trx));
  if (synonyms.isNew || synonyms.rows !== rows.synonyms) {
    catalogue.synonyms = Map.groupBy(await listAllSynonyms(trx), ({ spoken }) => spoken);
  }
  return { catalogue, sight, rows: { terms: terms.rows, synonyms: synonyms.rows } };
}
