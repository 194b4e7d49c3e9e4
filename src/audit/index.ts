export { findLastLink } from './chain-store.ts';
export { auditChecked, checkAudit } from './check-audit.ts';
export { describeBreak } from './describe-break.ts';
export type { Actor } from './entry.ts';
export { putHeadAside } from './head-file.ts';
export { orRecordRefusal } from './or-record-refusal.ts';
export { recordRefusal } from './record-refusal.ts';
export { type AuditPage, searchAudit } from './search-audit.ts';
export {
  type AuditFilter,
  type FoundEntry,
  findLatest,
  listActions,
  listEntriesAbout,
} from './search-store.ts';
export { startSealing } from './start-sealing.ts';
export { recordAudit, recordAudits } from './store.ts';
