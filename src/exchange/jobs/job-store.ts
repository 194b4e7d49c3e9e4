import { sql } from 'kysely';
import type { Db, Trx } from '../../platform/database/index.ts';
import { dayMs } from '../../platform/durations.ts';
import type { ImportCounts, LeftOutReport, WouldChange, WouldMark } from '../import/report/import-report.ts';
import type { ImportProblem } from '../import/report/left-out.ts';

const columnsSql = sql`
  i.id, i.name, i.is_feed as "isFeed", i.source_name as "sourceName", i.is_complete as "isComplete",
  i.dry_run as "dryRun", i.state, i.account_id as "accountId", i.started_by as "startedBy",
  i.created_at as "createdAt", i.started_at as "startedAt", i.ended_at as "endedAt", i.counts, i.problems, i.warning, i.failure,
  i.would_mark as "wouldMark", i.would_change as "wouldChange",
  i.stopped_by as "stoppedBy", i.left_out as "leftOut", i.total,
  i.is_scheduled as "isScheduled", i.undo_state as "undoState", i.undone_by as "undoneBy", i.undo_counts as "undoCounts",
  i.address_sealed is not null or exists (select from library_import_chunks c where c.import_id = i.id) as "hasContent"`;

export async function insertImportJob(trx: Trx, id: string, job: NewImportJob, at: Date): Promise<void> {
  await sql`
    insert into library_imports
      (id, name, is_feed, source_name, is_complete, dry_run, state, account_id, started_by, created_at, total,
        is_scheduled, address_sealed)
    values (${id}, ${job.name}, ${job.isFeed}, ${job.sourceName}, ${job.isComplete}, ${job.dryRun}, 'waiting',
      ${job.accountId}, ${job.startedBy}, ${at}, ${job.total ?? null},
      ${job.isScheduled ?? false}, ${job.addressSealed ?? null})`.execute(trx);
}

export async function insertChunk(
  trx: Trx,
  importId: string,
  number: number,
  content: Buffer,
): Promise<void> {
  await sql`
    insert into library_import_chunks (import_id, number, content) values (${importId}, ${number}, ${content})`.execute(
    trx,
  );
}

/** Gives an import the file that another had. */
export async function moveImportFile(trx: Trx, from: string, to: string): Promise<void> {
  await sql`update library_import_chunks set import_id = ${to} where import_id = ${from}`.execute(trx);
}

/** Deletes the file of an import, or the address of its feed, which nobody needs any more. */
export async function deleteImportContent(trx: Trx, importId: string): Promise<void> {
  await sql`delete from library_import_chunks where import_id = ${importId}`.execute(trx);
  await sql`
    update library_imports set address_sealed = null where id = ${importId} and address_sealed is not null`.execute(
    trx,
  );
}

const unusedContentLifetimeMs = 7 * dayMs;

/** Deletes files and addresses of feeds that were previewed and not imported in the week after. */
export async function deleteOldImportContents(db: Db, now: Date): Promise<void> {
  await sql`
    with unused as (
      select id from library_imports
      where created_at < ${new Date(now.getTime() - unusedContentLifetimeMs)} and state not in ('waiting', 'running')),
    forgotten as (
      update library_imports set address_sealed = null
      where id in (select id from unused) and address_sealed is not null)
    delete from library_import_chunks where import_id in (select id from unused)`.execute(db);
}

export async function findSealedAddress(db: Db, id: string): Promise<Buffer | undefined> {
  const { rows } = await sql<{ addressSealed: Buffer | null }>`
    select address_sealed as "addressSealed" from library_imports where id = ${id}`.execute(db);
  return rows[0]?.addressSealed ?? undefined;
}

export async function findChunk(db: Db, importId: string, number: number): Promise<Buffer | undefined> {
  const { rows } = await sql<{ content: Buffer }>`
    select content from library_import_chunks where import_id = ${importId} and number = ${number}`.execute(
    db,
  );
  return rows[0]?.content;
}

export async function findImportJob(db: Db, id: string): Promise<ImportJob | undefined> {
  const { rows } =
    await sql<ImportJob>`select ${columnsSql} from library_imports i where i.id = ${id}`.execute(db);
  return rows[0];
}

/** The CSV of what the import left out; undefined before the import has ended. */
export async function findLeftOutCsv(db: Db, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ csv: string | null }>`
    select left_out_csv as csv from library_imports where id = ${id}`.execute(db);
  return rows[0]?.csv ?? undefined;
}

export async function listImportJobs(db: Db, limit: number): Promise<ImportJob[]> {
  const { rows } = await sql<ImportJob>`
    select ${columnsSql} from library_imports i order by i.created_at desc, i.id desc limit ${limit}`.execute(
    db,
  );
  return rows;
}

/** Starts the job, or resumes it after a crash. @returns undefined if it has ended or was discarded. */
export async function startImportJob(
  db: Db,
  id: string,
  at: Date,
): Promise<(ImportJob & { wasRunning: boolean }) | undefined> {
  const { rows } = await sql<ImportJob & { wasRunning: boolean }>`
    with before as (
      select id, state from library_imports where id = ${id} and state in ('waiting', 'running') for update)
    update library_imports i set state = 'running', started_at = ${at}
    from before where i.id = before.id
    returning ${columnsSql}, before.state = 'running' as "wasRunning"`.execute(db);
  return rows[0];
}

/** Stores the counts, if any are known yet and have changed. @returns who wants the import to stop, if somebody does */
export async function saveCountsAndFindStop(
  db: Db,
  id: string,
  counts: ImportCounts | undefined,
): Promise<string | null> {
  const { rows } = await sql<{ stoppedBy: string | null }>`
    with given as (select ${counts ? JSON.stringify(counts) : null}::jsonb as counts),
    changed as (
      update library_imports i set counts = given.counts from given
      where i.id = ${id} and i.state = 'running' and i.counts is distinct from given.counts and given.counts is not null)
    select stopped_by as "stoppedBy" from library_imports where id = ${id} and state = 'running'`.execute(db);
  return rows[0]?.stoppedBy ?? null;
}

/**
 * Stops an import. A waiting one ends at once; the worker of a running one notices later.
 * @returns whether it was waiting.
 */
export async function stopImportJob(trx: Trx, id: string, name: string, at: Date): Promise<boolean> {
  const { rows } = await sql<{ state: ImportJob['state'] }>`
    update library_imports set stopped_by = coalesce(stopped_by, ${name}),
      state = case state when 'waiting' then 'discarded' else state end,
      ended_at = case state when 'waiting' then ${at}::timestamptz end
    where id = ${id} and state in ('waiting', 'running') returning state`.execute(trx);
  return rows[0]?.state === 'discarded';
}

export type ImportEnd = {
  state: 'done' | 'failed';
  /** If it failed before any were known, the last ones stored are kept. */
  counts?: ImportCounts | undefined;
  leftOut?: LeftOutReport;
  wouldMark?: WouldMark;
  wouldChange?: WouldChange;
  warning?: string | undefined;
  failure?: string;
};

export async function endImportJob(trx: Trx, id: string, at: Date, end: ImportEnd): Promise<void> {
  const { state, counts, leftOut, wouldMark, wouldChange, warning = null, failure = null } = end;
  const groups = leftOut && JSON.stringify({ records: leftOut.records, parts: leftOut.parts });
  await sql`
    update library_imports set state = ${state}, ended_at = ${at},
      counts = coalesce(${counts ? JSON.stringify(counts) : null}::jsonb, counts),
      left_out = ${groups ?? null}::jsonb, left_out_csv = ${leftOut?.csv ?? null}, warning = ${warning}, failure = ${failure},
      would_mark = ${wouldMark ? JSON.stringify(wouldMark) : null}::jsonb,
      would_change = ${wouldChange ? JSON.stringify(wouldChange) : null}::jsonb
    where id = ${id}`.execute(trx);
}

/** Stores an import that has ended already. */
export async function insertEndedImport(
  trx: Trx,
  id: string,
  { accountId, startedBy, ...job }: NewImportJob & { createdAt: Date },
  at: Date,
  end: ImportEnd,
): Promise<void> {
  await insertImportJob(trx, id, { ...job, accountId, startedBy }, job.createdAt);
  await endImportJob(trx, id, at, end);
}

/** @returns false if it was running, or discarded before. */
export async function discardImportJob(trx: Trx, id: string): Promise<boolean> {
  const { rows } = await sql`
    update library_imports set state = 'discarded' where id = ${id} and state in ('waiting', 'done', 'failed')
    returning id`.execute(trx);
  return rows.length === 1;
}

/** Starts to undo an import. @returns false if somebody has started that before. */
export async function startUndo(trx: Trx, id: string, undoneBy: string): Promise<boolean> {
  const { rows } = await sql`
    update library_imports set undo_state = 'running', undone_by = ${undoneBy}
    where id = ${id} and undo_state is null and state in ('done', 'failed') returning id`.execute(trx);
  return rows.length === 1;
}

/** Locks an import that is being undone, so that two processes do not undo it at once. */
export async function lockUndo(
  trx: Trx,
  id: string,
): Promise<{ undoneBy: string; counts: UndoCounts } | undefined> {
  const { rows } = await sql<{ undoneBy: string; counts: UndoCounts | null }>`
    select undone_by as "undoneBy", undo_counts as counts from library_imports
    where id = ${id} and undo_state = 'running' for update`.execute(trx);
  return rows[0] && { ...rows[0], counts: rows[0].counts ?? { restored: 0, inactive: 0, left: 0 } };
}

export async function saveUndo(
  trx: Trx,
  id: string,
  { counts, isOver }: { counts: UndoCounts; isOver: boolean },
): Promise<void> {
  await sql`
    update library_imports set undo_counts = ${JSON.stringify(counts)}::jsonb,
      undo_state = ${isOver ? 'done' : 'running'} where id = ${id}`.execute(trx);
}

/** How many services had which outcome when an import was undone. */
export type UndoCounts = {
  /** Are again what they were. */
  restored: number;
  /** Were made by the import, and are inactive now. */
  inactive: number;
  /** Were changed after the import, and stay as they are. */
  left: number;
};

export const importStateWords: Readonly<Record<ImportJob['state'], string>> = {
  waiting: 'Waiting',
  running: 'Running',
  done: 'Done',
  failed: 'Failed',
  discarded: 'Ended',
};

/** An import that an operator starts on a page, or that the schedule of a feed or the command line starts. */
export type ImportJob = {
  id: string;
  /** A file's name, or a feed's address. */
  name: string;
  isFeed: boolean;
  sourceName: string;
  isComplete: boolean;
  dryRun: boolean;
  /** `discarded`: stopped while it waited, or a preview that was imported or is not wanted any more. */
  state: 'waiting' | 'running' | 'done' | 'failed' | 'discarded';
  accountId: string;
  startedBy: string;
  createdAt: Date;
  startedAt: Date | null;
  endedAt: Date | null;
  counts: ImportCounts | null;
  /** How many records its preview read; null for a preview. */
  total: number | null;
  /** The faults of an import from before `leftOut` was stored. */
  problems: ImportProblem[];
  /** The records and parts that were left out; null before the import has ended. */
  leftOut: Omit<LeftOutReport, 'csv'> | null;
  warning: string | null;
  failure: string | null;
  /** The new services that it would mark as sensitive; null except for a preview. */
  wouldMark: WouldMark | null;
  /** The first services that it would change; null except for a preview. */
  wouldChange: WouldChange | null;
  /** The person who has asked to stop the import. */
  stoppedBy: string | null;
  /** Whether the site started it by itself. */
  isScheduled: boolean;
  /** How far undoing the import has come; null if nobody has undone it. */
  undoState: 'running' | 'done' | null;
  undoneBy: string | null;
  undoCounts: UndoCounts | null;
  /** Whether its file is still kept, or the address of its feed. */
  hasContent: boolean;
};

export type NewImportJob = Pick<
  ImportJob,
  'name' | 'isFeed' | 'sourceName' | 'isComplete' | 'dryRun' | 'accountId' | 'startedBy'
> &
  Partial<Pick<ImportJob, 'total' | 'isScheduled'>> & {
    /** The whole address of a feed, if its name leaves out something. */
    addressSealed?: Buffer | undefined;
  };
