export { type Actor, type AuditEntry, recordAudit } from './record-audit.ts';
