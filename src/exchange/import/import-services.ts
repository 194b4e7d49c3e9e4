import type { Actor } from '../../audit/index.ts';
import { type ImportDeps, type ImportRecordsOptions, importRecords } from './import-records.ts';
import { type FileRecord, isStandalone } from './model/record.ts';
import { withPackageTables } from './package/package-store.ts';
import { readPackage } from './package/read-package.ts';
import type { Bytes } from './read/bytes.ts';
import { zipMark } from './read/file-kinds.ts';
import { peekBytes, withTemporaryFile } from './read/open-file.ts';
import { readRecords } from './read/read-records.ts';
import type { ImportResult } from './report/import-report.ts';

export type ImportOptions = ImportRecordsOptions & {
  /** The name of the source. It must be the same at each import. */
  source?: string;
  /** Whether the file is the complete list of its source: services missing from it become inactive. */
  complete?: boolean;
};

/**
 * Imports services into the library: HSDS 3.0 as NDJSON, a JSON list or API pages, packed with gzip or not, or an HSDS
 * data package (a zip of CSV). Rows are matched by id, and what is the same stays untouched, so a second import of a
 * file changes nothing. A bad record is left out and reported; everything else goes in. Of records with the same id
 * the first counts, and the others are reported. Services stored before an interruption stay, and importing the file
 * again completes it.
 */
export async function importServices(
  deps: ImportDeps,
  actor: Actor,
  file: Bytes,
  { source, complete = false, ...options }: ImportOptions = {},
): Promise<ImportResult> {
  const importFrom = async (fileRecords: AsyncIterable<FileRecord>) => {
    const { records, ids } = withIds(fileRecords);
    const isEmpty = () => ids()?.size === 0;
    // An empty file is more often one that could not be fetched than the end of all services.
    const allIds = () => (complete && !isEmpty() ? ids() : undefined);
    const from = { name: source, isFeed: false, records, allIds, mayRetireMost: true };
    const result = await importRecords(deps, actor, from, options);
    if (complete && isEmpty())
      result.notes.push('The file has no services in it, so nothing was made inactive.');
    return result;
  };
  const { head, whole } = await peekBytes(file, 4);
  const { signal } = options;
  if (!head.subarray(0, 4).equals(zipMark)) return importFrom(readRecords(whole, signal));
  return withTemporaryFile(whole, (path) =>
    withPackageTables(deps.db, (connection) => importFrom(readPackage(connection, path, signal))),
  );
}

/**
 * Passes records on and collects their ids, also of those that are rejected later: a rejected service has not vanished from its source.
 * `ids` returns undefined if a record could not be read, because its id is then unknown.
 */
function withIds(source: AsyncIterable<FileRecord>) {
  const allIds = new Set<string>();
  let isWhole = true;
  async function* records(): AsyncGenerator<FileRecord> {
    for await (const record of source) {
      if ('note' in record) {
        yield record;
        continue;
      }
      const id = 'value' in record ? idOf(record.value) : undefined;
      if (id !== undefined) allIds.add(id);
      else if ('reason' in record ? !record.part : !isStandalone(record.value)) isWhole = false;
      yield record;
    }
  }
  return { records: records(), ids: () => (isWhole ? allIds : undefined) };
}

export function idOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('id' in value)) return undefined;
  return typeof value.id === 'string' ? value.id : undefined;
}
