import { access, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCluster } from './platform/database/index.ts';
import { newId } from './platform/ids/index.ts';
import type { Settings } from './platform/settings/index.ts';
import { StartupError } from './platform/startup-error.ts';

/** In the data directory of a site whose database is elsewhere: the site's id. */
const nameOfFile = 'outside-database.json';

/**
 * A site with an outside database that is started without naming it would begin anew, empty, with the old site's name and
 * key. @throws StartupError where the data directory is such a site's, and no database is named.
 */
export async function requireNamedDatabase(settings: Settings, isToBeMade: boolean): Promise<void> {
  const { dataDir, databaseUrl } = settings;
  if (databaseUrl !== undefined) return;
  const id = await readSiteId(settings);
  if (id !== undefined)
    throw notNamed(`${dataDir} belongs to site ${id}, which has an outside database`, settings);
  // A site of an earlier version has left no id; that its audit was sealed here is known by another file.
  if (isToBeMade && (await isThere(join(dataDir, 'audit-head.json'))) && !(await hasCluster(dataDir)))
    throw notNamed(`${dataDir} is a site’s (it has audit-head.json), and its database is not in it`);
}

/** @throws StartupError where the data directory is another site's than the database. */
export async function requireSameSite(settings: Settings, siteId: string | undefined): Promise<void> {
  if (settings.databaseUrl === undefined) return;
  const id = await readSiteId(settings);
  if (id === undefined || id === siteId) return;
  const found = siteId === undefined ? 'has no site in it' : `belongs to site ${siteId}`;
  throw new StartupError(
    `ONWARD_DATABASE_URL: this database ${found}, and ${settings.dataDir} belongs to site ${id}. Name that site’s database, or ` +
      `another directory in ONWARD_DATA_DIR. If the directory is this database’s from now on, remove ${fileOf(settings)}`,
  );
}

/** Remembers in the data directory which site has its database elsewhere. */
export async function rememberSite(settings: Settings, siteId: string): Promise<void> {
  if (settings.databaseUrl === undefined || (await readSiteId(settings)) === siteId) return;
  const file = fileOf(settings);
  const draft = `${file}.${newId()}.new`;
  await writeFile(draft, `${JSON.stringify({ site_id: siteId })}\n`, { mode: 0o600, flush: true });
  await rename(draft, file);
}

const fileOf = ({ dataDir }: Settings) => join(dataDir, nameOfFile);

/** The id of the site whose data directory it is, if that site has its database elsewhere. */
export async function readSiteId(settings: Settings): Promise<string | undefined> {
  const file = fileOf(settings);
  try {
    const { site_id: id } = JSON.parse(await readFile(file, 'utf8')) as { site_id?: unknown };
    if (typeof id === 'string') return id;
  } catch (error) {
    // ENOTDIR: the data directory itself is a file, which is refused where the directory is made.
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
  }
  throw new StartupError(
    `${file} cannot be read. It says which site’s data directory this is. Let the site’s user read it, or remove it if ` +
      'you are sure that ONWARD_DATABASE_URL is right.',
  );
}

function notNamed(what: string, settings?: Settings): StartupError {
  const own = settings
    ? `If the site’s database is to be in this directory from now on, remove ${fileOf(settings)}`
    : 'If its database is lost, bring it back with the command restore. For a new site, name another directory in ONWARD_DATA_DIR';
  return new StartupError(
    `ONWARD_DATABASE_URL is not set: ${what}. Without the setting a new and empty site would begin. For example: ` +
      `ONWARD_DATABASE_URL=postgres://onward:secret@127.0.0.1:5432/onward\n${own}`,
  );
}

async function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
