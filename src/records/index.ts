export { recordCopyListener } from './copy/copies-of-changes.ts';
export { countCopiesToAskBack, deleteOldCopies, emptyCopies } from './copy/copies-store.ts';
export { copyLifetimeMs } from './copy/copy-state.ts';
export { recordPages } from './pages.ts';
export { remindOfRequests } from './requests/remind-of-requests.ts';
export { countRecordRequests, deleteOldRequests } from './requests/requests-store.ts';
export { recordRoutes } from './routes.ts';
