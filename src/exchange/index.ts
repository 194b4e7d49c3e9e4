export { importPostcodes } from './csv/postcodes.ts';
export { importPractices } from './csv/practices.ts';
export { exportLibrary, writeExport } from './export/export-library.ts';
export { readFeedAddress } from './feeds/feed-address.ts';
export { importFeed } from './feeds/import-feed.ts';
export type { ImportDeps } from './import/import-records.ts';
export { importServices } from './import/import-services.ts';
export { withTemporaryFile } from './import/read/open-file.ts';
export { ImportReport, type ImportResult, type OnProgress } from './import/report/import-report.ts';
export { LeftOut, type LeftOutGroup, leftOutLines } from './import/report/left-out.ts';
export {
  deleteOldImportContents,
  findImportJob,
  findLeftOutCsv,
  type ImportJob,
  importStateWords,
  listImportJobs,
} from './jobs/job-store.ts';
export {
  canBeImported,
  discardImport,
  importPreviewed,
  isAllRejected,
  previewFeed,
  previewFile,
  stopImport,
} from './jobs/request-import.ts';
export { importJobHandler, runImportJob, runListedImport } from './jobs/run-import-job.ts';
export {
  feedIntervals,
  importScheduledFeeds,
  nextRunOf,
  scheduledFeedsTime,
  unscheduleFeed,
} from './jobs/scheduled-feeds.ts';
export { listScheduledFeeds } from './jobs/scheduled-feeds-store.ts';
export { previewUndo, requestUndo, runUndo, type UndoPreview } from './jobs/undo-import.ts';
