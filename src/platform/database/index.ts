export { addExtensions } from './add-extensions.ts';
export { connect, type Database, type Db, type Trx } from './connect.ts';
export {
  clusterPath,
  hasCluster,
  openEmbeddedDatabase,
  type Purpose,
  prepareDataDirectory,
} from './embedded/index.ts';
export { isKnownRollback, isTransientDatabaseError, isUniqueViolation } from './errors.ts';
export { anyOfValuesSql, wasUpdatedSql } from './expressions.ts';
export { describeDatabase, isWritable, requireUsableServer } from './inspect-server.ts';
export { holdLocks, holdTaskLock, type LockKind, lockSeeds, shareLocks } from './locks.ts';
export {
  appliedMigrations,
  createTablesOfVersion,
  type EarlierVersions,
  hasOnwardTables,
  type MigrationHistory,
  migrate,
  minServerVersion,
  requireKnownMigrations,
  serverTooOld,
} from './migrate.ts';
export { cachedUntilNotice } from './notices/cached-until-notice.ts';
export { type Notices, notify, startNotices } from './notices/notices.ts';
export {
  findRestoreInProgress,
  markRestore,
  refuseUnfinishedRestore,
  removeRestoreMark,
  renewRestoreMark,
} from './restore-in-progress.ts';
export { compareSchemaLogic, listSchemaLogic } from './schema-logic.ts';
export {
  changeKeyFingerprint,
  changeMode,
  deleteSiteFact,
  type Mode,
  readSiteFacts,
  readSiteFactsAfterChanges,
  recordMissingSiteFacts,
  recordSiteFactOnce,
  type SiteFacts,
  siteFactNames,
  siteFactsOf,
} from './site-facts.ts';
export { tableExists } from './table-exists.ts';
export { databaseOf, inRetriedTransaction, inTransaction, onTransactionEnd } from './transaction.ts';
