export type { ImportProblem, ImportResult, ImportSummary, OnProgress } from './import/import-report.ts';
export { importServices } from './import/import-services.ts';
export { libraryPages } from './pages.ts';
export { importPractices } from './practices/import-practices.ts';
export { findPractice, type KnownPractice } from './practices/store.ts';
export { libraryRoutes } from './routes.ts';
export { findOrganization, findServiceForReferral, type ServiceForReferral } from './services/store.ts';
