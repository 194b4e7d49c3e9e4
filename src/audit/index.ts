export type { Actor } from './entry.ts';
export { recordAudit } from './record-audit.ts';
