import { createReadStream } from 'node:fs';
import type { Actor } from '../../audit/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { notFound, Problem, unprocessable } from '../../platform/problem/index.ts';
import { readFeedAddress, sealFeedAddress } from '../feeds/feed-address.ts';
import type { ImportDeps } from '../import/import-records.ts';
import type { Bytes } from '../import/read/bytes.ts';
import { describeRightImport, fileKind } from '../import/read/file-kinds.ts';
import { withTemporaryFile } from '../import/read/open-file.ts';
import { addImportJob } from './add-import-job.ts';
import { feedAddressOf } from './feed-address-of.ts';
import {
  deleteImportContent,
  discardImportJob,
  findImportJob,
  type ImportJob,
  insertChunk,
  moveImportFile,
  stopImportJob,
} from './job-store.ts';
import { type FeedInterval, scheduleFeed } from './scheduled-feeds.ts';

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
  // Saved to disk first, because a transaction that waits for a slow network would hold a connection.
  return withTemporaryFile(file.content, async (path) => {
    if (name === '') throw refusal('file', 'Choose a file');
    const job = { name, sourceName: sourceName.slice(0, maxNameLength) || name, isComplete, isFeed: false };
    return inTransaction(deps.db, async (trx) => {
      const id = await addImportJob(trx, { ...job, dryRun: true, ...startedBy(operator) }, deps.clock.now());
      let number = 0;
      for await (const content of createReadStream(path, { highWaterMark: chunkSize })) {
        const kind = number === 0 ? fileKind((content as Buffer).subarray(0, 1000)) : undefined;
        if (kind && kind !== 'services' && kind !== 'zip') throw refusal('file', describeRightImport(kind));
        await insertChunk(trx, id, number, content as Buffer);
        number += 1;
      }
      if (number === 0) throw refusal('file', 'The file is empty');
      return id;
    });
  });
}

/** Previews the import of a feed. @throws Problem `unprocessable` if the address is invalid. */
export function previewFeed(
  deps: ImportDeps & Pick<Platform, 'secrets'>,
  operator: Operator,
  { address, isComplete }: { address: string; isComplete: boolean },
): Promise<string> {
  const { name, query } = readFeedAddress(address);
  // A query may be secret, so it is sealed, and shown to nobody.
  const addressSealed = query === '' ? undefined : sealFeedAddress(deps.secrets, name, address);
  const job = { name, sourceName: name, isFeed: true, isComplete, dryRun: true, addressSealed };
  return inTransaction(deps.db, (trx) =>
    addImportJob(trx, { ...job, ...startedBy(operator) }, deps.clock.now()),
  );
}

/**
 * Starts the import that a preview showed. With an `interval`, the site imports this feed by itself from then on.
 * @returns the id of the import. @throws Problem `not-found` if it cannot be imported any more.
 */
export async function importPreviewed(
  deps: ImportDeps & Pick<Platform, 'secrets'>,
  operator: Operator,
  id: string,
  interval?: FeedInterval,
): Promise<string> {
  const preview = await findImportJob(deps.db, id);
  if (preview?.state !== 'done' || !preview.dryRun || !canBeImported(preview)) throw new Problem(notFound);
  const { name, sourceName, isFeed, isComplete, counts } = preview;
  const address = isFeed ? await feedAddressOf(deps, preview) : undefined;
  const addressSealed =
    address === undefined || address === name ? undefined : sealFeedAddress(deps.secrets, name, address);
  const job = {
    name,
    sourceName,
    isFeed,
    isComplete,
    dryRun: false,
    total: counts?.read ?? null,
    addressSealed,
  };
  return inTransaction(deps.db, async (trx) => {
    const importId = await addImportJob(trx, { ...job, ...startedBy(operator) }, deps.clock.now());
    // If two people confirm at once, the preview is gone for the second.
    if (!(await discardImportJob(trx, id))) throw new Problem(notFound);
    if (address !== undefined && interval)
      await scheduleFeed(trx, deps, operator, { name: sourceName, address, interval });
    await moveImportFile(trx, id, importId);
    await deleteImportContent(trx, id);
    return importId;
  });
}

/** Whether a previewed import has anything to import, and still has its file, or the address of its feed. */
export function canBeImported(job: ImportJob): boolean {
  const { isFeed, name, hasContent } = job;
  return !isAllRejected(job) && (hasContent || (isFeed && !name.includes('?')));
}

/** Whether every record was rejected. The import of a feed may make services inactive even then. */
export function isAllRejected({ counts, isFeed }: ImportJob): boolean {
  if (!counts || counts.read === 0 || counts.rejected < counts.read) return false;
  return !isFeed || counts.inactive === 0;
}

/** Discards a previewed import, and its file. */
export async function discardImport({ db }: ImportDeps, id: string): Promise<void> {
  await inTransaction(db, async (trx) => {
    if (await discardImportJob(trx, id)) await deleteImportContent(trx, id);
  });
}

/**
 * Stops an import: a waiting one at once, a running one after the batch that it reads now. What it has stored by then stays,
 * and nothing becomes inactive.
 */
export async function stopImport({ db, clock }: ImportDeps, { name }: Operator, id: string): Promise<void> {
  await inTransaction(db, async (trx) => {
    if (await stopImportJob(trx, id, name, clock.now())) await deleteImportContent(trx, id);
  });
}

function startedBy({ id, name }: Operator) {
  return { accountId: id, startedBy: name };
}

function refusal(field: string, message: string): Problem {
  return new Problem(unprocessable, undefined, { errors: [{ pointer: `/${field}`, message }] });
}
