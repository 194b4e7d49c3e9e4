export type { Actor } from './entry.ts';
export { recordAudit } from './store.ts';
