import {
  type Author,
  availabilityInHistory,
  type Change,
  type ComparableService,
  creationOf,
  findEditDates,
  findOutdatedAvailability,
  keepBeforeImport,
  lockForImport,
  lockServices,
  looksSensitive,
  recordChanges,
  type ServiceRow,
  saveReportedAvailability,
  saveSearchWords,
  saveServices,
  searchWordsOf,
  updateOf,
} from '../../../library/index.ts';
import { inTransaction, type Trx } from '../../../platform/database/index.ts';
import type { ImportedService, ImportRun } from '../report/import-run.ts';
import {
  type ChangedService,
  type ComparedBatch,
  compareBatch,
  isNewerThanEdit,
  reportKeptEdits,
} from './compare-batch.ts';
import { findDocuments, type StoredVersion } from './library-versions-store.ts';
import { setSource } from './source-store.ts';

/** Saves what is new or different in a batch; a dry run only counts it. */
export async function saveBatch(
  run: ImportRun,
  { stored, changed, edited, unchanged }: ComparedBatch,
): Promise<void> {
  run.report.counts.unchanged += unchanged.length + edited.length;
  if (run.dryRun) {
    countSaved(run, changed, stored);
    for (const { row } of changed) {
      run.report.nameChange(stored.has(row.id) ? 'updated' : 'created', row);
      if (!stored.has(row.id) && looksSensitive(row)) run.report.markSensitive(row.name);
    }
    return;
  }
  await saveServicesThatFit(run, changed, stored);
  await saveAvailabilityOfBatch(
    run,
    edited.map(({ service }) => service),
  );
  await setSourceOfUnclaimed(run, unchanged, stored);
}

function countSaved(
  { report: { counts } }: ImportRun,
  saved: readonly ChangedService[],
  stored: ReadonlyMap<string, StoredVersion>,
): void {
  const updated = saved.filter(({ row }) => stored.has(row.id)).length;
  counts.updated += updated;
  counts.created += saved.length - updated;
}

/**
 * Saves services in one transaction. If PostgreSQL refuses a value that no check foresaw, it saves each half by itself, and so on down to
 * the record with that value. Only that record is rejected.
 */
async function saveServicesThatFit(
  run: ImportRun,
  services: readonly ChangedService[],
  stored: ReadonlyMap<string, StoredVersion>,
): Promise<void> {
  const [first] = services;
  if (!first) return;
  try {
    await saveInTransaction(run, services, stored);
  } catch (error) {
    if (error instanceof CreatedMeanwhile) return compareAgain(run, services);
    const state = refusalState(error);
    if (state === undefined) throw error;
    if (services.length === 1) {
      const { position, service } = first.imported;
      run.report.reject(position, service.id, { pointer: '', reason: `the database refused it (${state})` });
      return;
    }
    const middle = Math.ceil(services.length / 2);
    await saveServicesThatFit(run, services.slice(0, middle), stored);
    await saveServicesThatFit(run, services.slice(middle), stored);
  }
}

async function saveInTransaction(
  run: ImportRun,
  services: readonly ChangedService[],
  stored: ReadonlyMap<string, StoredVersion>,
): Promise<void> {
  const words = newWords(run, services);
  const savedServices = await inTransaction(run.db, async (trx) => {
    await lockForImport(trx);
    // Somebody may have edited a service since it was compared.
    const ids = services.map(({ row }) => row.id);
    const edits = await findEditDates(trx, ids);
    const isNewer = ({ imported }: ChangedService) =>
      isNewerThanEdit(run, imported, edits.get(imported.service.id));
    const newer = services.filter(isNewer);
    const olderThanEdit = services.filter((each) => !isNewer(each)).map(({ imported }) => imported);
    reportKeptEdits(run, olderThanEdit);
    const rows = newer.map(({ row }) => row);
    const before = await findDocuments(
      trx,
      ids.filter((id) => stored.has(id)),
    );
    await recordServiceChanges(trx, run.author, rows, before);
    await keepVersionsBeforeImport(trx, run, rows, { documents: before, editedAt: edits });
    const existingIds = await saveServices(trx, rows, run.author.at, { sourceId: run.author.sourceId });
    if (existingIds.some((id) => !stored.has(id))) throw new CreatedMeanwhile();
    await saveSearchWords(trx, words);
    return newer;
  });
  for (const word of words) run.savedWords.add(word);
  run.report.counts.unchanged += services.length - savedServices.length;
  countSaved(run, savedServices, stored);
}

/** Another import created some of these services after they were compared, so the history would call them new twice. */
class CreatedMeanwhile extends Error {}

async function compareAgain(run: ImportRun, services: readonly ChangedService[]): Promise<void> {
  const batch = services.map(({ imported }) => imported);
  await saveBatch(run, await compareBatch(run, batch));
}

/** The SQLSTATE of an error that the values caused; undefined for one of the connection or the server. */
function refusalState(error: unknown): string | undefined {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^(22|23|54|P0)/.test(code) ? code : undefined;
}

function newWords({ savedWords }: ImportRun, services: readonly ChangedService[]): string[] {
  const words = new Set<string>();
  for (const { row } of services) {
    for (const word of searchWordsOf(row)) {
      if (!savedWords.has(word)) words.add(word);
    }
  }
  return [...words];
}

async function recordServiceChanges(
  trx: Trx,
  author: Author,
  rows: readonly ServiceRow[],
  documents: ReadonlyMap<string, string>,
): Promise<void> {
  const changes = rows.map(({ id, document }) => {
    const before = documents.get(id);
    if (before === undefined) return creationOf('service', id);
    return updateOf('service', id, JSON.parse(before), JSON.parse(document));
  });
  await recordChanges(trx, author, [...changes, ...(await availabilityChanges(trx, rows))]);
}

/** Stores how services were before the import, for somebody who undoes it. */
export async function keepVersionsBeforeImport(
  trx: Trx,
  { importId, author }: Pick<ImportRun, 'importId' | 'author'>,
  rows: readonly Pick<ServiceRow, 'id' | 'contentHash'>[],
  { documents, editedAt }: { documents: ReadonlyMap<string, string>; editedAt: ReadonlyMap<string, Date> },
): Promise<void> {
  if (importId === undefined) return;
  const services = rows.map(({ id, contentHash }) => ({
    serviceId: id,
    document: documents.get(id) ?? null,
    hashAfter: contentHash,
    editedAt: editedAt.get(id) ?? null,
  }));
  await keepBeforeImport(trx, importId, services, author.at);
}

type WithAvailability = Pick<ComparableService, 'id' | 'availability'>;

/** How the availability of services that the library has will change, for their history. */
async function availabilityChanges(trx: Trx, services: readonly WithAvailability[]): Promise<Change[]> {
  const availabilities = new Map(services.map(({ id, availability }) => [id, availability]));
  const outdated = await findOutdatedAvailability(trx, services);
  return outdated.map(({ id, status, waiting_time }) => {
    const { status: newStatus, waitingTime } = availabilities.get(id)!;
    const before = availabilityInHistory(status === null ? undefined : { status, waiting_time });
    return updateOf(
      'service',
      id,
      before,
      availabilityInHistory({ status: newStatus, waiting_time: waitingTime }),
    );
  });
}

/** Saves only the availability of services that were edited here: it has a date of its own, and no edit changes it. */
async function saveAvailabilityOfBatch(
  { db, author }: ImportRun,
  services: readonly WithAvailability[],
): Promise<void> {
  if ((await findOutdatedAvailability(db, services)).length === 0) return;
  await inTransaction(db, async (trx) => {
    await lockForImport(trx);
    // Services before their availability, as in other batches. Edits go the other way round; `lockForImport` keeps them out.
    await lockServices(
      trx,
      services.map(({ id }) => id),
    );
    await recordChanges(trx, author, await availabilityChanges(trx, services));
    await saveReportedAvailability(trx, services, author.at);
  });
}

/** Remembers the source of services that have none yet, or whose last report from it is unknown. */
async function setSourceOfUnclaimed(
  { db, author: { sourceId } }: ImportRun,
  unchanged: readonly ImportedService[],
  stored: ReadonlyMap<string, StoredVersion>,
): Promise<void> {
  if (sourceId === undefined) return;
  const unclaimed = unchanged.filter(({ service }) => {
    const version = stored.get(service.id)!;
    return version.sourceId === null || (version.sourceId === sourceId && version.sourceHash === null);
  });
  if (unclaimed.length === 0) return;
  const services = unclaimed.map(({ service }) => service);
  await inTransaction(db, (trx) => setSource(trx, sourceId, services));
}
