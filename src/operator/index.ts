export { countForOperators } from './counts-store.ts';
export { warnOfExpiringAgreements } from './organisations/warn-of-expiring-agreements.ts';
export { operatorPages } from './pages.ts';
export { reportConnectionFailures } from './site/report-connection-failures.ts';
export { collectUnmatched } from './unmatched/collect.ts';
export { unmatchedRoutes } from './unmatched/routes.ts';
export { countUnmatched, deleteOldUnmatched, listUnmatched } from './unmatched/unmatched-store.ts';
export { reportUnusualAccess } from './unusual-access/report-unusual-access.ts';
export { deleteOldReviews } from './unusual-access/unusual-access-store.ts';
