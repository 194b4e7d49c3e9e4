import { type Db, inTransaction } from '../../platform/database/index.ts';
import { wordsOf } from '../search/words.ts';
import type { ImportReport } from './import-report.ts';
import type { ServiceRow } from './service-row.ts';
import { findStored, type Stored, saveSearchWords, saveServices } from './store.ts';

/** A service of the file on its way into the library. */
export type Incoming = {
  line: number;
  row: ServiceRow;
  /** Whether the source says when it changed. Where it does not, our stamp is no change. */
  dated: boolean;
};

/** Saves a batch: what is new or different of it, in one transaction. */
export async function saveBatch(
  db: Db,
  batch: readonly Incoming[],
  at: Date,
  knownWords: Set<string>,
  report: ImportReport,
): Promise<void> {
  const stored = await findStored(
    db,
    batch.map(({ row }) => row.id),
  );
  const changed = batch.filter((incoming) => differs(incoming, stored.get(incoming.row.id)));
  const saved = await saveWhatFits(db, changed, at, knownWords, report);
  const updated = saved.filter(({ row }) => stored.has(row.id)).length;
  report.counts.updated += updated;
  report.counts.created += saved.length - updated;
  report.counts.unchanged += batch.length - changed.length;
}

function differs({ row, dated }: Incoming, stored: Stored | undefined): boolean {
  if (!stored || stored.contentHash !== row.contentHash) return true;
  return dated && stored.lastModified.getTime() !== row.lastModified.getTime();
}

/**
 * Saves all of it; or, where PostgreSQL refuses a value that we did not foresee, each half by itself, and so on down to
 * the record that is to blame, which alone is left out.
 */
async function saveWhatFits(
  db: Db,
  batch: readonly Incoming[],
  at: Date,
  knownWords: Set<string>,
  report: ImportReport,
): Promise<readonly Incoming[]> {
  if (batch.length === 0) return [];
  const rows = batch.map(({ row }) => row);
  const words = newWords(rows, knownWords);
  try {
    await inTransaction(db, async (trx) => {
      await saveServices(trx, rows, at);
      await saveSearchWords(trx, words);
    });
  } catch (error) {
    const state = refusalState(error);
    if (state === undefined) throw error;
    const [first] = batch;
    if (batch.length === 1 && first) {
      report.reject(first.line, first.row.id, { pointer: '', reason: `the database refused it (${state})` });
      return [];
    }
    const middle = Math.ceil(batch.length / 2);
    const before = await saveWhatFits(db, batch.slice(0, middle), at, knownWords, report);
    return [...before, ...(await saveWhatFits(db, batch.slice(middle), at, knownWords, report))];
  }
  for (const word of words) knownWords.add(word);
  return batch;
}

/** The classes of SQLSTATE that blame the values, not the connection or the server. */
function refusalState(error: unknown): string | undefined {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^(22|23|54|P0)/.test(code) ? code : undefined;
}

function newWords(rows: readonly ServiceRow[], knownWords: ReadonlySet<string>): string[] {
  const words = new Set<string>();
  for (const { name, otherNames, description, termNames } of rows) {
    for (const word of wordsOf(`${name} ${otherNames} ${description} ${termNames}`)) {
      if (!knownWords.has(word)) words.add(word);
    }
  }
  return [...words];
}
