export { type AuditAction, sentenceFor } from './actions.ts';
export { findLastLink } from './chain-store.ts';
export { auditChecked, checkChain, describeBreak, sealCheckAndRecord } from './check-chain.ts';
export type { Actor } from './entries-store.ts';
export { anonymousActor, recordAudit, recordAudits, siteActor } from './entries-store.ts';
export { renameHead } from './head-file.ts';
export { openAudit } from './open-audit.ts';
export {
  type RefusedObject,
  recordRefusalOncePerMinute,
  recordRefusedObject,
  withRefusalAudit,
} from './record-refusals.ts';
export { auditAlarm, sealAudit, startSealing } from './seal-audit.ts';
export { type AuditPage, type HideEntries, searchAudit } from './search-audit.ts';
export {
  type AuditFilter,
  findLatestEntry,
  hasDoneSince,
  listActions,
  listEntriesAbout,
  listLastSubjects,
  midnightSql,
  type StoredAuditEntry,
} from './search-store.ts';
