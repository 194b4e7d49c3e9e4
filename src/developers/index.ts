export { installTroubles, senderWithTroubles } from './troubles/play-troubles.ts';
export { troubleRoutes } from './troubles/routes.ts';
export { deleteEndedTroubles } from './troubles/troubles-store.ts';
