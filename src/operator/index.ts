export { findOrganisation } from './find-organisation.ts';
export { operatorPages } from './pages.ts';
