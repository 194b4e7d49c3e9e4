import { createReadStream } from 'node:fs';
import type { Actor } from '../../audit/index.ts';
import { inTransaction, type Trx } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids/index.ts';
import { addJobs } from '../../platform/jobs/index.ts';
import { notFound, Problem, unprocessable } from '../../platform/problem/index.ts';
import { readFeedAddress } from '../feeds/feed-address.ts';
import type { ImportDeps } from '../import/import-records.ts';
import { describeRightImport, fileKind } from '../import/read/file-kinds.ts';
import { type Bytes, withTemporaryFile } from '../import/read/open-file.ts';
import {
  deleteFile,
  discardImportJob,
  findImportJob,
  type ImportJob,
  insertChunk,
  insertImportJob,
  moveFile,
  type NewImportJob,
  stopImportJob,
} from './job-store.ts';

type Operator = Actor & { id: string };
type ImportRequest = { sourceName: string; isComplete: boolean };

const chunkSize = 1024 * 1024;
const maxNameLength = 200;

/** Previews the import of a file: it says what would change, and changes nothing. @returns the import's id. */
export function previewFile(
  deps: ImportDeps,
  operator: Operator,
  file: { name: string; content: Bytes },
  { sourceName, isComplete }: ImportRequest,
): Promise<string> {
  const name = file.name.slice(0, maxNameLength);
  // On disk first: a transaction that waited for a slow network would hold a connection.
  return withTemporaryFile(file.content, async (path) => {
    if (name === '') throw refusal('file', 'Choose a file');
    const job = { name, sourceName: sourceName.slice(0, maxNameLength) || name, isComplete, isFeed: false };
    return addImportJob(deps, operator, { ...job, dryRun: true }, async (trx, id) => {
      let number = 0;
      for await (const content of createReadStream(path, { highWaterMark: chunkSize })) {
        const kind = number === 0 ? fileKind((content as Buffer).subarray(0, 1000)) : undefined;
        if (kind && kind !== 'services' && kind !== 'zip') throw refusal('file', describeRightImport(kind));
        await insertChunk(trx, id, number, content as Buffer);
        number += 1;
      }
      if (number === 0) throw refusal('file', 'The file is empty');
    });
  });
}

/** Previews the import of a feed. @throws Problem `unprocessable` if the address is invalid. */
export function previewFeed(
  deps: ImportDeps,
  operator: Operator,
  address: string,
  isComplete: boolean,
): Promise<string> {
  const { name, query } = readFeedAddress(address);
  const job = { name, sourceName: name, isFeed: true, isComplete, dryRun: true };
  return addImportJob(deps, operator, job, async (trx, id) => {
    // A query may be secret, so it is kept as a file is: until the feed was imported, and shown to nobody.
    if (query !== '') await insertChunk(trx, id, 0, Buffer.from(address));
  });
}

/** Imports what was previewed. @throws Problem `not-found` if it cannot be imported any more. */
export async function importPreviewed(deps: ImportDeps, operator: Operator, id: string): Promise<string> {
  const preview = await findImportJob(deps.db, id);
  if (preview?.state !== 'done' || !preview.dryRun || !canBeImported(preview)) throw new Problem(notFound);
  const { name, sourceName, isFeed, isComplete, counts } = preview;
  return addImportJob(
    deps,
    operator,
    { name, sourceName, isFeed, isComplete, dryRun: false, total: counts?.read ?? null },
    async (trx, next) => {
      // If two people confirm at once, the second finds it gone.
      if (!(await discardImportJob(trx, id))) throw new Problem(notFound);
      await moveFile(trx, id, next);
    },
  );
}

/** Whether a previewed import has anything to import, and still has its file, or the query of its feed if it has one. */
export function canBeImported(job: ImportJob): boolean {
  const { isFeed, name, hasFile } = job;
  return !isAllRejected(job) && (hasFile || (isFeed && !name.includes('?')));
}

/** Whether every record was rejected. The import of a feed may make services inactive even then. */
export function isAllRejected({ counts, isFeed }: ImportJob): boolean {
  if (!counts || counts.read === 0 || counts.rejected < counts.read) return false;
  return !isFeed || counts.inactive === 0;
}

/** Discards a previewed import, and its file. */
export async function discardImport({ db }: ImportDeps, id: string): Promise<void> {
  await inTransaction(db, async (trx) => {
    if (await discardImportJob(trx, id)) await deleteFile(trx, id);
  });
}

/**
 * Stops an import: a waiting one at once, a running one after the batch that it reads now. What it has stored by then stays,
 * and nothing becomes inactive.
 */
export async function stopImport({ db, clock }: ImportDeps, { name }: Operator, id: string): Promise<void> {
  await inTransaction(db, async (trx) => {
    if (await stopImportJob(trx, id, name, clock.now())) await deleteFile(trx, id);
  });
}

/** Adds an import, and its job. `addFile` stores its file in the same transaction. */
async function addImportJob(
  { db, clock }: ImportDeps,
  operator: Operator,
  job: Omit<NewImportJob, 'accountId' | 'startedBy'>,
  addFile: (trx: Trx, id: string) => Promise<void> = async () => undefined,
): Promise<string> {
  const at = clock.now();
  const id = newId(at.getTime());
  await inTransaction(db, async (trx) => {
    await insertImportJob(trx, id, { ...job, accountId: operator.id, startedBy: operator.name }, at);
    await addFile(trx, id);
    const receiver = job.isFeed ? job.name : undefined;
    await addJobs(trx, 'import-library', [{ import_id: id, receiver, lasting: true }]);
  });
  return id;
}

function refusal(field: string, message: string): Problem {
  return new Problem(unprocessable, undefined, { errors: [{ pointer: `/${field}`, message }] });
}
