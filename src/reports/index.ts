export { reportPages } from './pages/pages.ts';
export { readMainFigures } from './pages/view.ts';
export { reportListener } from './publish/keep-erased.ts';
export { followAndPublish } from './publish/publish-months.ts';
export { reportRoutes } from './routes.ts';
