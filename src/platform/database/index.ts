export { addExtensions } from './add-extensions.ts';
export { holdName, takesChanges } from './asking.ts';
export {
  connect,
  type Database,
  type Db,
  databaseOf,
  inTransaction,
  onTransactionEnd,
  type Trx,
} from './connect.ts';
export { describeDatabase } from './describe-database.ts';
export {
  clusterPath,
  hasCluster,
  openEmbeddedDatabase,
  prepareDataDirectory,
  type Use,
} from './embedded/index.ts';
export { databaseIsAway } from './is-away.ts';
export { isUndone } from './is-undone.ts';
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
export { requireUsableServer } from './require-usable-server.ts';
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
  siteFactsOf,
} from './site-facts.ts';
export { untilNews } from './until-news.ts';
