export { reportPages } from './pages.ts';
export { followAndPublish } from './publish-months.ts';
export { reportRoutes } from './routes.ts';
export { readMainFigures } from './view.ts';
