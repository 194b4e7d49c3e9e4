export { holdName, takesChanges } from './asking.ts';
export { binaryTexts } from './binary-texts.ts';
export { connect, type Database, type Db, inTransaction, type Trx } from './connect.ts';
export { describeDatabase } from './describe-database.ts';
export { hasCluster, openEmbeddedDatabase, prepareDataDirectory } from './embedded/index.ts';
export { isUndone } from './is-undone.ts';
export { appliedMigrations, isMigrated, type Migrations, migrate } from './migrate.ts';
export { type Notices, notify, startNotices } from './notices.ts';
export { type UntilNews, untilNews } from './until-news.ts';
