export { homePages } from './pages.ts';
