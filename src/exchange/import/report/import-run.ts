import type { Author, ComparableService } from '../../../library/index.ts';
import type { Db } from '../../../platform/database/index.ts';
import type { ImportReport } from './import-report.ts';
import type { FileRecord, Place } from './record.ts';

/** What is read, from where. */
export type Reading = {
  records: AsyncIterable<FileRecord>;
  sourceName: string | undefined;
  /** At the end, the ids of all that the source has; undefined where that is not known. */
  entries(): ReadonlySet<string> | undefined;
  /** Whether most of a source may vanish at once: a feed that is broken looks like one that was emptied. */
  trusts?: 'any' | 'few-vanished';
  /** Told what was seen up to the end of each batch, once that is stored. */
  saved?(last: Place): Promise<void>;
};

/** A service of the file on its way into the library. */
export type Incoming = {
  place: Place;
  said: ComparableService;
  /** Whether the source says when it changed. Where it does not, our stamp is no change. */
  dated: boolean;
};

/** One import under way. */
export type ImportRun = {
  readonly db: Db;
  readonly author: Author;
  readonly dryRun: boolean;
  readonly report: ImportReport;
  readonly knownWords: Set<string>;
};
