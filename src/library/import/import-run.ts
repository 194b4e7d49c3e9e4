import type { Db } from '../../platform/database/index.ts';
import type { Author } from '../history/change.ts';
import type { Place } from './file-record.ts';
import type { ImportReport } from './import-report.ts';
import type { SaidService } from './service-row.ts';

/** A service of the file on its way into the library. */
export type Incoming = {
  place: Place;
  said: SaidService;
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
