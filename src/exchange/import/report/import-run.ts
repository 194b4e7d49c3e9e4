import type { Author, ComparableService } from '../../../library/index.ts';
import type { Db } from '../../../platform/database/index.ts';
import type { FilePosition, FileRecord } from '../model/record.ts';
import type { ImportReport } from './import-report.ts';

/** A file or a feed that is imported. */
export type ImportSource = {
  /** The name it is remembered by from one import to the next; without one, its services belong to no source. */
  name: string | undefined;
  /** Whether it is read again by itself, and so notices what vanishes. */
  isFeed: boolean;
  records: AsyncIterable<FileRecord>;
  /** The ids of all services of the source, once its last record is read; undefined if they are not known. */
  allIds(): ReadonlySet<string> | undefined;
  /** Whether most of its services may become inactive at once. A broken feed looks like one that was emptied. */
  mayRetireMost: boolean;
  /** Called after each stored batch, with the position of its last record. */
  onStored?(last: FilePosition): Promise<void>;
};

/** A checked service of the source, which is compared with the library. */
export type ImportedService = {
  position: FilePosition;
  service: ComparableService;
  /** Whether the source says when it changed. If it does not, a new date of ours does not count as a change. */
  isDated: boolean;
};

/** An import that is running. */
export type ImportRun = {
  readonly db: Db;
  /** The id by which the import is listed and can be undone. */
  readonly importId: string | undefined;
  readonly author: Author;
  readonly dryRun: boolean;
  readonly report: ImportReport;
  /** The search words that this import has saved. */
  readonly savedWords: Set<string>;
};
