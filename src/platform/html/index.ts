export { assetRoutes } from './assets.ts';
export { createPages, type NavigationItem, type Pages } from './pages.ts';
