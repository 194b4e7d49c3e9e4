import { type Db, hasCluster, isMigrated } from './platform/database/index.ts';
import type { Settings } from './platform/settings/index.ts';
import { StartupError } from './platform/startup-error.ts';

/**
 * Looks for the files of a site, before anything is made: a command in the wrong directory, or with a setting left out,
 * would otherwise do its work on a new and empty site, and say that all went well.
 * @throws StartupError where there is no site.
 */
export async function requireSiteFiles({ dataDir, databaseUrl }: Settings): Promise<void> {
  if (databaseUrl === undefined && !(await hasCluster(dataDir))) throw noSite(`in ${dataDir}`);
}

/** @throws StartupError where nothing of Onward is in the database. */
export async function requireTables(db: Db): Promise<void> {
  if (!(await isMigrated(db))) throw noSite('in this database');
}

function noSite(where: string): StartupError {
  return new StartupError(
    `There is no site ${where} yet. If that is the wrong place, name the right one in ONWARD_DATA_DIR or ONWARD_DATABASE_URL. ` +
      'To make a site there, start it (npm start), or run: npm run -s onward -- migrate',
  );
}
