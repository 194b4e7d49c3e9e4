import { inTransaction, type Trx } from '../../platform/database/index.ts';
import { findEdits, lockForImport } from '../editing/store.ts';
import { type Author, creation, update } from '../history/change.ts';
import { recordChanges } from '../history/store.ts';
import { saveSearchWords } from '../search/words-store.ts';
import type { ImportRun, Incoming } from './import-run.ts';
import { letEditsStand } from './let-edits-stand.ts';
import { refuseMoves } from './refuse-moves.ts';
import { changesOfRoom, saveRoom } from './room.ts';
import { type ServiceRow, serviceRow, spelledWords } from './service-row.ts';
import { adopt } from './source-store.ts';
import { saveServices } from './store.ts';
import { findDocuments, findStored, type Stored } from './stored-store.ts';

/** Saves a batch: what is new or different of it, in one transaction. */
export async function saveBatch(run: ImportRun, batch: readonly Incoming[]): Promise<void> {
  const { sourceId } = run.author;
  const stored = await findStored(
    run.db,
    batch.map(({ said }) => said.id),
  );
  const keptBefore = run.report.keptEdits.size;
  const changed = batch.filter((incoming) => differs(incoming, stored.get(incoming.said.id), sourceId));
  const newer = new Set(letEditsStand(editsOf(stored), run, changed));
  const wanted = await refuseMoves(run, [...newer], stored);
  if (run.dryRun) countSaved(run, wanted, stored);
  else {
    await saveWhatFits(run, wanted, stored);
    await saveRoom(
      run,
      changed.filter((each) => !newer.has(each)).map(({ said }) => said),
    );
  }
  const { counts } = run.report;
  const kept = run.report.keptEdits.size - keptBefore;
  counts.unchanged += batch.length - changed.length + kept;
  if (sourceId === undefined || run.dryRun) return;
  const changedOnes = new Set(changed);
  const unclaimed = batch.filter(
    (incoming) => !changedOnes.has(incoming) && isUnclaimed(stored.get(incoming.said.id)!, sourceId),
  );
  if (unclaimed.length === 0) return;
  const adopted = unclaimed.map(({ said }) => said);
  await inTransaction(run.db, (trx) => adopt(trx, sourceId, adopted));
}

function countSaved(
  { report: { counts } }: ImportRun,
  saved: readonly Incoming[],
  stored: ReadonlyMap<string, Stored>,
): void {
  const updated = saved.filter(({ said }) => stored.has(said.id)).length;
  counts.updated += updated;
  counts.created += saved.length - updated;
}

function editsOf(stored: ReadonlyMap<string, Stored>): Map<string, Date> {
  return new Map([...stored].flatMap(([id, { editedAt }]) => (editedAt ? [[id, editedAt] as const] : [])));
}

/**
 * Whether it is new, or not what the library has. Where its source says what it said last time, what was edited here
 * since then stays.
 */
function differs(
  { said, dated }: Incoming,
  stored: Stored | undefined,
  sourceId: string | undefined,
): boolean {
  if (!stored) return true;
  if (sourceId !== undefined && stored.sourceId === sourceId && stored.sourceHash !== null)
    return stored.sourceHash !== said.sourceHash;
  if (stored.contentHash !== said.contentHash) return true;
  if (said.capacity && (stored.capacitySaidAt ?? 0) < said.capacity.saidAt) return true;
  return dated && stored.lastModified.getTime() !== said.lastModified.getTime();
}

function isUnclaimed({ sourceId, sourceHash }: Stored, ours: string): boolean {
  return sourceId === null || (sourceId === ours && sourceHash === null);
}

/**
 * Saves all of it; or, where PostgreSQL refuses a value that we did not foresee, each half by itself, and so on down to
 * the record that is to blame, which alone is left out.
 */
async function saveWhatFits(
  run: ImportRun,
  batch: readonly Incoming[],
  stored: ReadonlyMap<string, Stored>,
): Promise<void> {
  if (batch.length === 0) return;
  const made = new Map(batch.map(({ said }) => [said.id, serviceRow(said)]));
  const words = newWords([...made.values()], run.knownWords);
  try {
    const saved = await inTransaction(run.db, async (trx) => {
      await lockForImport(trx);
      // Somebody may have edited one since it was compared.
      const wanted = letEditsStand(await findEdits(trx, [...made.keys()]), run, batch);
      const rows = wanted.map(({ said }) => made.get(said.id)!);
      await recordServiceChanges(trx, run.author, rows, stored);
      const known = await saveServices(trx, rows, run.author.at, run.author.sourceId);
      if (known.some((id) => !stored.has(id))) throw new MadeMeanwhile();
      await saveSearchWords(trx, words);
      return wanted;
    });
    for (const word of words) run.knownWords.add(word);
    countSaved(run, saved, stored);
  } catch (error) {
    if (error instanceof MadeMeanwhile) return compareAgain(run, batch);
    const state = refusalState(error);
    if (state === undefined) throw error;
    const [first] = batch;
    if (batch.length === 1 && first) {
      const reason = `the database refused it (${state})`;
      run.report.reject(first.place, first.said.id, { pointer: '', reason });
      return;
    }
    const middle = Math.ceil(batch.length / 2);
    await saveWhatFits(run, batch.slice(0, middle), stored);
    await saveWhatFits(run, batch.slice(middle), stored);
  }
}

/** Another import made some of these services after they were looked for: what was to be written says that they are new. */
class MadeMeanwhile extends Error {}

async function compareAgain(run: ImportRun, batch: readonly Incoming[]): Promise<void> {
  const stored = await findStored(
    run.db,
    batch.map(({ said }) => said.id),
  );
  const changed = batch.filter((incoming) =>
    differs(incoming, stored.get(incoming.said.id), run.author.sourceId),
  );
  run.report.counts.unchanged += batch.length - changed.length;
  await saveWhatFits(run, await refuseMoves(run, changed, stored), stored);
}

async function recordServiceChanges(
  trx: Trx,
  author: Author,
  rows: readonly ServiceRow[],
  stored: ReadonlyMap<string, Stored>,
): Promise<void> {
  const known = rows.filter(({ id }) => stored.has(id)).map(({ id }) => id);
  const documents = await findDocuments(trx, known);
  const changes = rows.map(({ id, document }) => {
    const before = documents.get(id);
    if (before === undefined) return creation('service', id);
    return update('service', id, JSON.parse(before), JSON.parse(document));
  });
  await recordChanges(trx, author, [...changes, ...(await changesOfRoom(trx, rows))]);
}

/** The classes of SQLSTATE that blame the values, not the connection or the server. */
function refusalState(error: unknown): string | undefined {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^(22|23|54|P0)/.test(code) ? code : undefined;
}

function newWords(rows: readonly ServiceRow[], knownWords: ReadonlySet<string>): string[] {
  const words = new Set<string>();
  for (const row of rows) {
    for (const word of spelledWords(row)) {
      if (!knownWords.has(word)) words.add(word);
    }
  }
  return [...words];
}
