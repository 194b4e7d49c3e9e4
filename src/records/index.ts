export { recordPages } from './pages.ts';
export { remindOfRequests } from './requests/remind-of-requests.ts';
export { deleteOldRequests } from './requests/requests-store.ts';
export { recordRoutes } from './routes.ts';
