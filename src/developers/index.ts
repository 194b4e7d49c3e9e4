export { developerRequestPages } from './requests/operator-pages.ts';
export { ownRequestPages } from './requests/own-pages.ts';
export { countOpenRequests, deleteOldRequests } from './requests/requests-store.ts';
export { troublePages } from './troubles/pages.ts';
export { installTroubles, senderWithTroubles } from './troubles/play-troubles.ts';
export { troubleRoutes } from './troubles/routes.ts';
export { deleteEndedTroubles } from './troubles/troubles-store.ts';
