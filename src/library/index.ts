export { siteCatalogue } from './catalogue/keep-catalogue.ts';
export { channelNames, practiceChannelNames } from './channels.ts';
export { type DeliveryAddress, findDeliveryAddress } from './delivery-addresses-store.ts';
export { editingPages } from './editing/pages/index.ts';
export { writeExport } from './export/write-export.ts';
export { localTime } from './hours/local-time.ts';
export { readFeedAddress } from './import/feed/feed-address.ts';
export { importFeed } from './import/feed/import-feed.ts';
export { placeInWords } from './import/file-record.ts';
export type { ImportResult } from './import/import-report.ts';
export { importServices } from './import/import-services.ts';
export type { ImportJob } from './import/jobs/import-job.ts';
export { deleteOldImportFiles, findImportJob, listImportJobs } from './import/jobs/job-store.ts';
export { listImport } from './import/jobs/list-import.ts';
export {
  canGoOn,
  discardImport,
  importTried,
  isAllRefused,
  stopImport,
  tryFeed,
  tryFile,
} from './import/jobs/request-import.ts';
export { runImportJob } from './import/jobs/run-import-job.ts';
export { spooled } from './import/spool.ts';
export { listPages } from './lists/pages/index.ts';
export { listRoutes } from './lists/routes.ts';
export { findOrganisation } from './organizations/find-organisation.ts';
export { libraryPages } from './pages.ts';
export { importPostcodes } from './postcodes/import-postcodes.ts';
export { locate } from './postcodes/locate.ts';
export { postcodeRoutes } from './postcodes/routes.ts';
export { importPractices } from './practices/import-practices.ts';
export { practicePages } from './practices/pages.ts';
export { practiceRoutes } from './practices/routes.ts';
export { searchPractices } from './practices/search-practices.ts';
export type { FoundPractice } from './practices/search-store.ts';
export { findPractice, findPractices, type KnownPractice } from './practices/store.ts';
export { type Responsiveness, replaceResponsiveness } from './responsiveness/store.ts';
export { libraryRoutes } from './routes.ts';
export { listRequest } from './search/list-query.ts';
export { searchServices } from './search/search-services.ts';
export { listUnanswered, nobodyAnswers } from './services/nobody-answers.ts';
export {
  findServiceForReferral,
  findServicesForReferral,
  hasServices,
  type ServiceForReferral,
} from './services/store.ts';
export { addSynonym } from './synonyms/add-synonym.ts';
export { normal as normalSaying } from './synonyms/read-synonym.ts';
export { removeSynonym } from './synonyms/remove-synonym.ts';
export { findMeanings, listSynonyms } from './synonyms/store.ts';
