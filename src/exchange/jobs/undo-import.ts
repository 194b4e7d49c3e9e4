import { type Actor, recordAudit } from '../../audit/index.ts';
import {
  type Author,
  clearSourceHashes,
  countBeforeImport,
  forgetBeforeImport,
  listBeforeImport,
  lockForImport,
  lockServices,
  type Service,
  undoableForMs,
} from '../../library/index.ts';
import { inTransaction, type Trx } from '../../platform/database/index.ts';
import { addJobs } from '../../platform/jobs/index.ts';
import { notFound, Problem } from '../../platform/problem/index.ts';
import type { ImportDeps } from '../import/import-records.ts';
import { findContents } from '../import/store/library-versions-store.ts';
import { replaceServices } from '../import/store/replace-services.ts';
import {
  findImportJob,
  type ImportJob,
  lockUndo,
  saveUndo,
  startUndo,
  type UndoCounts,
} from './job-store.ts';
import { endSchedule } from './scheduled-feeds.ts';
import { isScheduledFeed } from './scheduled-feeds-store.ts';

/** The changes that undoing an import would make. */
export type UndoPreview = {
  /** Services that go back to what they were. */
  changed: number;
  /** Services that the import made, and that become inactive. */
  made: number;
  /** Whether the site imports this feed again by itself. That ends, or it would bring everything back. */
  isScheduled: boolean;
};

/** What undoing an import would do; undefined if it cannot be undone, or no longer. */
export async function previewUndo(
  { db, clock }: ImportDeps,
  job: ImportJob,
): Promise<UndoPreview | undefined> {
  const { id, dryRun, endedAt, undoState, isFeed, sourceName } = job;
  if (dryRun || endedAt === null || undoState !== null) return undefined;
  if (clock.now().getTime() - endedAt.getTime() >= undoableForMs) return undefined;
  const { changed, made } = await countBeforeImport(db, id);
  if (changed + made === 0) return undefined;
  const isScheduled = isFeed && (await isScheduledFeed(db, sourceName));
  return { changed, made, isScheduled };
}

/**
 * Adds the job that undoes an import (`runUndo`). Services that the import changed or made inactive go back to what they were. Those that
 * it made become inactive, because referrals may name them. What somebody has changed since stays. Scheduled imports of the feed end.
 * @throws Problem `not-found` if it cannot be undone.
 */
export async function requestUndo(
  deps: ImportDeps,
  operator: Actor & { id: string },
  id: string,
): Promise<void> {
  const { db, clock } = deps;
  const job = await findImportJob(db, id);
  const preview = job && (await previewUndo(deps, job));
  if (!job || !preview) throw new Problem(notFound);
  await inTransaction(db, async (trx) => {
    // If two people press the button at once, the second finds that the undoing has begun.
    if (!(await startUndo(trx, id, operator.name))) throw new Problem(notFound);
    if (preview.isScheduled) await endSchedule(trx, deps, operator, job.sourceName);
    await addJobs(trx, 'undo-import', [{ import_id: id, account_id: operator.id, lasting: true }]);
    await recordAudit(trx, {
      at: clock.now(),
      actor: operator,
      action: 'library.import_undone',
      details: { import: id, source: job.sourceName },
    });
  });
}

/** Small enough that edits wait only a moment. */
const batchSize = 200;

/** The `undo-import` job. It goes on where a killed process left off: each batch is put back and counted in one transaction. */
export async function runUndo(
  { db, clock }: ImportDeps,
  { import_id: id, account_id }: { import_id: string; account_id: string },
): Promise<void> {
  for (;;) {
    const isOver = await inTransaction(db, async (trx) => {
      const undo = await lockUndo(trx, id);
      if (!undo) return true;
      const author = { at: clock.now(), name: undo.undoneBy, accountId: account_id };
      const batchCounts = await undoBatch(trx, id, author);
      const counts = batchCounts ? sum(undo.counts, batchCounts) : undo.counts;
      await saveUndo(trx, id, { counts, isOver: batchCounts === undefined });
      return batchCounts === undefined;
    });
    if (isOver) return;
  }
}

/** Puts a batch of services back as they were. @returns how many had which outcome; undefined when no service was left. */
async function undoBatch(trx: Trx, importId: string, author: Author): Promise<UndoCounts | undefined> {
  const entries = await listBeforeImport(trx, importId, batchSize);
  if (entries.length === 0) return undefined;
  const ids = entries.map(({ serviceId }) => serviceId);
  await lockForImport(trx);
  await lockServices(trx, ids);
  const current = await findContents(trx, ids);
  const untouched = entries.filter(({ serviceId, hashAfter }) => current.get(serviceId)?.hash === hashAfter);
  await replaceServices(
    trx,
    author,
    untouched.map(({ serviceId: id, document }) => {
      const before = JSON.parse(current.get(id)!.document) as Service;
      const after: Service = document === null ? { ...before, status: 'inactive' } : JSON.parse(document);
      return { before, after };
    }),
    new Map(untouched.flatMap(({ serviceId, editedAt }) => (editedAt ? [[serviceId, editedAt]] : []))),
  );
  // So that the next import of the source compares these services again.
  await clearSourceHashes(trx, ids);
  await forgetBeforeImport(trx, importId, ids);
  const inactive = untouched.filter(({ document }) => document === null).length;
  return {
    restored: untouched.length - inactive,
    inactive,
    left: entries.length - untouched.length,
  };
}

function sum(one: UndoCounts, other: UndoCounts): UndoCounts {
  return {
    restored: one.restored + other.restored,
    inactive: one.inactive + other.inactive,
    left: one.left + other.left,
  };
}
