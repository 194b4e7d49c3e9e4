import {
  type Author,
  availabilityInHistory,
  type Change,
  type ComparableService,
  creation,
  findEditDates,
  findOutdatedAvailability,
  isInFuture,
  lockForImport,
  recordChanges,
  type ServiceRow,
  saveReportedAvailability,
  saveSearchWords,
  saveServices,
  searchWordsOf,
  serviceRow,
  update,
} from '../../../library/index.ts';

import { inTransaction, type Trx } from '../../../platform/database/index.ts';
import type { ImportRun, Incoming } from '../report/import-run.ts';
import { adopt } from './source-store.ts';
import { findAnswered, findDocuments, findStored, type Stored } from './stored-store.ts';

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
  if (said.availability && (stored.capacitySetAt ?? 0) < said.availability.setAt) return true;
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
      const wanted = letEditsStand(await findEditDates(trx, [...made.keys()]), run, batch);
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
    for (const word of searchWordsOf(row)) {
      if (!knownWords.has(word)) words.add(word);
    }
  }
  return [...words];
}

/**
 * The batch without what somebody edited here after its source last changed it: what they wrote is newer, and they took
 * the trouble. A record that does not say when it changed cannot claim to be newer, nor can one from the future.
 * @param edits when somebody here had the last word on a service
 */
function letEditsStand(
  edits: ReadonlyMap<string, Date>,
  { author, report }: Pick<ImportRun, 'author' | 'report'>,
  batch: readonly Incoming[],
): readonly Incoming[] {
  if (edits.size === 0) return batch;
  return batch.filter(({ said, dated }) => {
    const editedAt = edits.get(said.id);
    const saysWhen = dated && !isInFuture(said.lastModified, author.at);
    const isNewer = editedAt === undefined || (saysWhen && said.lastModified > editedAt);
    if (!isNewer) report.keptEdits.add(said.id);
    return isNewer;
  });
}

const pointer = '/organization_id';
const reason =
  'would give the service to another organisation, while people of the one that has it answer its referrals here: change it on its page, if that is right';

/**
 * The batch without services that it would take away from those who answer for them. Their referrals would be read by
 * whichever organisation a feed names, and no longer by those who wait for them.
 */
async function refuseMoves(
  { db, report }: ImportRun,
  batch: readonly Incoming[],
  stored: ReadonlyMap<string, Stored>,
): Promise<Incoming[]> {
  const known = batch.map(({ said }) => said.id).filter((id) => stored.has(id));
  const answered = await findAnswered(db, known);
  return batch.filter(({ place, said }) => {
    const owner = answered.get(said.id);
    if (owner === undefined || owner === said.organizationId) return true;
    report.reject(place, said.id, { pointer, reason });
    return false;
  });
}

type Said = Pick<ComparableService, 'id' | 'availability'>;

/** What becomes of the room of services that the library has, for its history. */
async function changesOfRoom(trx: Trx, services: readonly Said[]): Promise<Change[]> {
  const said = new Map(services.map(({ id, availability }) => [id, availability]));
  const known = await findOutdatedAvailability(trx, services);
  return known.map(({ id, status, waiting_time }) => {
    const { status: newStatus, waitingTime } = said.get(id)!;
    const before = availabilityInHistory(status === null ? undefined : { status, waiting_time });
    return update(
      'service',
      id,
      before,
      availabilityInHistory({ status: newStatus, waiting_time: waitingTime }),
    );
  });
}

/**
 * Saves nothing of services but their room: an edit made here stands against an older entry, and says nothing of the
 * room, which has a date of its own.
 */
async function saveRoom({ db, author }: ImportRun, services: readonly Said[]): Promise<void> {
  if ((await findOutdatedAvailability(db, services)).length === 0) return;
  await inTransaction(db, async (trx) => {
    await lockForImport(trx);
    await recordChanges(trx, author, await changesOfRoom(trx, services));
    await saveReportedAvailability(trx, services, author.at);
  });
}
