export { operatorPages } from './pages.ts';
