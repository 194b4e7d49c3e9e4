export { addExtensions } from './add-extensions.ts';
export { connect, type Database, type Db, type Trx } from './connect.ts';
export {
  clusterPath,
  hasCluster,
  openEmbeddedDatabase,
  prepareDataDirectory,
  type Use,
} from './embedded/index.ts';
export { databaseIsAway, isUndone } from './errors.ts';
export { describeDatabase, requireUsableServer, takesChanges } from './inspect-server.ts';
export {
  appliedMigrations,
  createTablesOf,
  type EarlierVersions,
  isMigrated,
  type MigrationHistory,
  migrate,
  refuseUnknown,
} from './migrate.ts';
export { type Notices, notify, startNotices } from './notices.ts';
export {
  findRestoreMark,
  markRestore,
  removeRestoreMark,
  renewRestoreMark,
  requireWholeRestore,
} from './restore-mark.ts';
export { compareRoutines, listRoutines } from './routines.ts';
export {
  changeKeyMark,
  changeMode,
  type Mode,
  readSettledSiteFacts,
  readSiteFacts,
  recordSiteFacts,
  type SiteFacts,
  siteFactsOf,
} from './site-facts.ts';
export { databaseOf, holdName, inTransaction, onTransactionEnd } from './transaction.ts';
export { untilNews } from './until-news.ts';
