import { access, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Db, hasCluster, hasOnwardTables } from '../platform/database/index.ts';
import { newId } from '../platform/ids/index.ts';
import { StartupError } from '../platform/process/startup-error.ts';
import type { Settings } from '../platform/settings/index.ts';

// Checks that the data directory and the database are those that the operator means, before anything is made or changed.

/**
 * Refuses to go on without a site. Otherwise a command in the wrong directory would succeed on an empty site.
 * @throws StartupError if there is no site.
 */
export async function requireSiteFiles({ dataDir, databaseUrl }: Settings): Promise<void> {
  if (databaseUrl === undefined && !(await hasCluster(dataDir))) throw noSite(`in ${dataDir}`);
}

/** @throws StartupError if the database has no tables of Onward. */
export async function requireTables(db: Db): Promise<void> {
  if (!(await hasOnwardTables(db))) throw noSite('in this database');
}

function noSite(where: string): StartupError {
  return new StartupError(
    `There is no site ${where} yet. If that is the wrong place, name the right one in ONWARD_DATA_DIR or ONWARD_DATABASE_URL. ` +
      'To make a site there, start it (npm start), or run: npm run -s onward -- migrate',
  );
}

/** A site with an outside database has this file in its data directory; it holds the site's id. */
const siteIdFile = 'outside-database.json';

/**
 * Refuses to start without ONWARD_DATABASE_URL if the site's database is outside. Otherwise the site would begin again, empty.
 * @throws StartupError if the data directory belongs to such a site and no database is named.
 */
export async function refuseMissingDatabaseUrl(settings: Settings, mayMakeSite: boolean): Promise<void> {
  const { dataDir, databaseUrl } = settings;
  if (databaseUrl !== undefined) return;
  const id = await readSiteId(settings);
  if (id !== undefined && (await hasCluster(dataDir))) throw movedAway(settings, id);
  if (id !== undefined) throw outsideDatabaseNotNamed(settings, id);
  // An earlier version wrote no id here, but it wrote the head of its audit.
  if (mayMakeSite && (await fileExists(join(dataDir, 'audit-head.json'))) && !(await hasCluster(dataDir)))
    throw databaseIsMissing(settings);
}

/** @throws StartupError if the data directory and the database belong to different sites. */
export async function requireSameSite(settings: Settings, siteId: string | undefined): Promise<void> {
  if (settings.databaseUrl === undefined) return;
  const id = await readSiteId(settings);
  if (id === undefined || id === siteId) return;
  const contents = siteId === undefined ? 'has no site in it' : `belongs to site ${siteId}`;
  throw new StartupError(
    `ONWARD_DATABASE_URL: this database ${contents}, and ${settings.dataDir} belongs to site ${id}. Name that site’s database, or ` +
      `another directory in ONWARD_DATA_DIR. If the directory is this database’s from now on, remove ${pathOf(settings)}`,
  );
}

/** Writes the site's id to the data directory, if the database is outside. */
export async function writeSiteId(settings: Settings, siteId: string): Promise<void> {
  if (settings.databaseUrl === undefined || (await readSiteId(settings)) === siteId) return;
  const file = pathOf(settings);
  const draft = `${file}.${newId()}.new`;
  await writeFile(draft, `${JSON.stringify({ site_id: siteId })}\n`, { mode: 0o600, flush: true });
  await rename(draft, file);
}

const pathOf = ({ dataDir }: Settings) => join(dataDir, siteIdFile);

/** The id of the site whose data directory this is, if its database is outside. */
export async function readSiteId(settings: Settings): Promise<string | undefined> {
  const file = pathOf(settings);
  try {
    const { site_id: id } = JSON.parse(await readFile(file, 'utf8')) as { site_id?: unknown };
    if (typeof id === 'string') return id;
  } catch (error) {
    // ENOTDIR: the data directory itself is a file, which is refused when the directory is made.
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
  }
  throw new StartupError(
    `${file} cannot be read. It says which site’s data directory this is. Let the site’s user read it, or remove it if ` +
      'you are sure that ONWARD_DATABASE_URL is right.',
  );
}

/** For a site that moved to an outside database: its old one would start without complaint, without anything since the move. */
function movedAway(settings: Settings, id: string): StartupError {
  return new StartupError(
    `ONWARD_DATABASE_URL is not set: site ${id} of ${settings.dataDir} has moved to an outside database. Set it as “database move” said, or run that command again if it was cut off. ` +
      'What is still in this directory is the database of before the move: on it, every referral made since would be missing, and ' +
      `old messages would be sent again. Only if nobody has used the site since the move, you can go back: remove ${pathOf(settings)}`,
  );
}

function outsideDatabaseNotNamed(settings: Settings, id: string): StartupError {
  return new StartupError(
    `ONWARD_DATABASE_URL is not set: ${settings.dataDir} belongs to site ${id}, which has an outside database. ${databaseUrlAdvice}\n` +
      `If the site’s database is to be in this directory from now on, remove ${pathOf(settings)}`,
  );
}

function databaseIsMissing({ dataDir }: Settings): StartupError {
  return new StartupError(
    `ONWARD_DATABASE_URL is not set: ${dataDir} is a site’s (it has audit-head.json), and its database is not in it. ${databaseUrlAdvice}\n` +
      'If its database is lost, bring it back with the command restore. For a new site, name another directory in ONWARD_DATA_DIR',
  );
}

const databaseUrlAdvice =
  'Without the setting a new and empty site would begin. For example: ' +
  'ONWARD_DATABASE_URL=postgres://onward:secret@127.0.0.1:5432/onward';

async function fileExists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
