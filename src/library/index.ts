export type { ImportResult } from './import/import-report.ts';
export { importServices } from './import/import-services.ts';
export { libraryPages } from './pages.ts';
export { importPractices } from './practices/import-practices.ts';
export { findPractice } from './practices/store.ts';
export { libraryRoutes } from './routes.ts';
export {
  findOrganization,
  findServiceForReferral,
  hasServices,
  type ServiceForReferral,
} from './services/store.ts';
