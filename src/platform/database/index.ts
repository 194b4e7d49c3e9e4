export { addExtensions } from './add-extensions.ts';
export { anyOf } from './any-of.ts';
export { cachedUntilNotice } from './cached-until-notice.ts';
export { connect, type Database, type Db, type Trx } from './connect.ts';
export {
  clusterPath,
  hasCluster,
  openEmbeddedDatabase,
  prepareDataDirectory,
  type Use,
} from './embedded/index.ts';
export { isKnownRollback, isTransientDatabaseError } from './errors.ts';
export { describeDatabase, isWritable, requireUsableServer } from './inspect-server.ts';
export { holdLock, holdLocks, type LockKind, lockSeeds, shareLocks } from './locks.ts';
export {
  appliedMigrations,
  createTablesOf,
  type EarlierVersions,
  isMigrated,
  type MigrationHistory,
  migrate,
  requireKnownMigrations,
} from './migrate.ts';
export { type Notices, notify, startNotices } from './notices.ts';
export {
  findRestoreMark,
  markRestore,
  refuseUnfinishedRestore,
  removeRestoreMark,
  renewRestoreMark,
} from './restore-mark.ts';
export { compareSchemaLogic, listSchemaLogic } from './schema-logic.ts';
export {
  changeKeyFingerprint,
  changeMode,
  type Mode,
  readSiteFacts,
  readSiteFactsAfterChanges,
  recordSiteFacts,
  type SiteFacts,
  siteFactsOf,
} from './site-facts.ts';
export { databaseOf, inRetriedTransaction, inTransaction, onTransactionEnd } from './transaction.ts';
export { wasUpdated } from './was-updated.ts';
