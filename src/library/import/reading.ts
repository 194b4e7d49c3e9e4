import type { FileRecord, Place } from './file-record.ts';

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
