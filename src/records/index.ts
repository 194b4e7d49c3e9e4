export { recordPages } from './pages.ts';
export { recordRoutes } from './routes.ts';
