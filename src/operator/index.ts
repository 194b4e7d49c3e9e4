export { looseEndRoutes } from './loose-ends/routes.ts';
export { deleteOldLooseEnds } from './loose-ends/store.ts';
export { tendLooseEnds } from './loose-ends/tend-loose-ends.ts';
export { operatorPages } from './pages.ts';
