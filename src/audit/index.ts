export type { Actor, AuditEntry } from './entry.ts';
export { recordAudit } from './record-audit.ts';
