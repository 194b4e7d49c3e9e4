import type { Actor } from '../../audit/index.ts';
import { collectingIds } from './collect-ids.ts';
import type { FileRecord } from './file-record.ts';
import { type ImportDeps, importRecords } from './import-records.ts';
import type { ImportResult, OnProgress } from './import-report.ts';
import { type Bytes, peeked } from './open-file.ts';
import { withPackageTables } from './package/package-store.ts';
import { readPackage } from './package/read-package.ts';
import { readRecords } from './read-records.ts';
import { spooled } from './spool.ts';

export type ImportOptions = {
  onProgress?: OnProgress;
  /** What the file is called from one time to the next: its entries are remembered as being from there. */
  source?: string;
  /** Whether the file holds all of its source: what it does not have any more becomes inactive. */
  complete?: boolean;
  /** Says what would change, and changes nothing. */
  dryRun?: boolean;
};

/**
 * Reads services into the library: HSDS 3.0 as NDJSON, a JSON list or API pages, packed with gzip or not, or an HSDS
 * data package (a zip of CSV). Rows are matched by id, and what is the same stays untouched, so a second import of a
 * file changes nothing. A bad record is left out and reported; everything else goes in. Of records with the same id the
 * first counts, and the others are reported. What stands when the import is interrupted stays, and importing again
 * completes it.
 */
export async function importServices(
  deps: ImportDeps,
  actor: Actor,
  file: Bytes,
  { source, complete = false, ...options }: ImportOptions = {},
): Promise<ImportResult> {
  const read = async (found: AsyncIterable<FileRecord>) => {
    const { records, ids } = collectingIds(found);
    const isEmpty = () => ids()?.size === 0;
    // A file of nothing is more often one that could not be fetched than the end of all services.
    const entries = () => (complete && !isEmpty() ? ids() : undefined);
    const result = await importRecords(deps, actor, { records, sourceName: source, entries }, options);
    if (complete && isEmpty())
      result.notes.push('The file has no services in it, so nothing was made inactive.');
    return result;
  };
  const { head, whole } = await peeked(file, 4);
  if (!head.subarray(0, 4).equals(zipMark)) return read(readRecords(whole));
  return spooled(whole, (path) =>
    withPackageTables(deps.db, (connection) => read(readPackage(connection, path))),
  );
}

const zipMark = Buffer.from('PK\x03\x04');
