export { reportUnusualAccess } from './looks/report-unusual-access.ts';
export { deleteOldReviews } from './looks/store.ts';
export { warnOfExpiringAgreements } from './organisations/warn-of-expiring-agreements.ts';
export { operatorPages } from './pages.ts';
export { reportConnectionFailures } from './site/report-connection-failures.ts';
export { collectUnmatched } from './unmatched/collect.ts';
export { unmatchedRoutes } from './unmatched/routes.ts';
export { countUnmatched, deleteOldUnmatched } from './unmatched/store.ts';
