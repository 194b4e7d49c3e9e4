import type { ImportCounts, ImportProblem } from '../import-report.ts';

/** An import that an operator starts on a page and the worker does. */
export type ImportJob = {
  id: string;
  /** A file's name, or a feed's address. */
  name: string;
  isFeed: boolean;
  sourceName: string;
  isComplete: boolean;
  dryRun: boolean;
  state: 'waiting' | 'running' | 'done' | 'failed' | 'discarded';
  accountId: string;
  startedBy: string;
  createdAt: Date;
  endedAt: Date | null;
  counts: ImportCounts | null;
  problems: ImportProblem[];
  warning: string | null;
  failure: string | null;
  /** Who wants it stopped, or has stopped it. */
  stoppedBy: string | null;
  /** Whether its file is still kept, to be imported. */
  hasFile: boolean;
};

export type NewImportJob = Pick<
  ImportJob,
  'name' | 'isFeed' | 'sourceName' | 'isComplete' | 'dryRun' | 'accountId' | 'startedBy'
>;

/** Only so many are shown; the command line shows them all. */
export const mostShownProblems = 200;
