import { migrations } from '../migrations/index.ts';
import { startDatabaseClock } from './platform/clock/database-clock.ts';
import { type Closers, createClosers } from './platform/closers.ts';
import {
  connect,
  type Database,
  type Db,
  migrate,
  openEmbeddedDatabase,
  prepareDataDirectory,
} from './platform/database/index.ts';
import type { Log } from './platform/log/index.ts';
import type { Platform } from './platform/platform.ts';
import { createSecrets, loadSiteKey, recogniseSiteKey, type SiteSecrets } from './platform/secrets/index.ts';
import type { Settings } from './platform/settings/index.ts';
import { StartupError } from './platform/startup-error.ts';
import { requireSiteFiles, requireTables } from './require-site.ts';

export type OpenPlatform = {
  readonly platform: Platform;
  readonly database: Database;
  /** Whatever is opened on top is added here, and so is closed first. */
  readonly closers: Closers;
};

export type OpenOptions = {
  use: 'site' | 'command';
  /**
   * needed: where there is no site yet, that is refused, and nothing is left behind. made: an empty one is made there.
   * as-found: the database is left as it is, and may be without tables.
   */
  site: 'needed' | 'made' | 'as-found';
  /** The site's own PostgreSQL has gone away for good, and this process cannot go on. */
  onDatabaseLost?: () => void;
  /** What this process can do while PostgreSQL's programs work; called once or several times. */
  whileWaiting?: () => void;
};

/**
 * Opens what the site and every command need: the data directory, the database with today's tables, the clock and the
 * site key.
 * @throws StartupError for whatever the operator can mend.
 */
export async function openPlatform(
  settings: Settings,
  log: Log,
  options: OpenOptions,
): Promise<OpenPlatform> {
  const closers = createClosers(log);
  try {
    if (options.site === 'needed') await requireSiteFiles(settings);
    await prepareDataDirectory(settings.dataDir);
    const siteKey = await loadSiteKey(settings.siteKeyFile);
    const database = await openDatabase(settings, log, options, closers);
    if (options.site === 'needed') await requireTables(database.db);
    if (options.site !== 'as-found') await migrate(database.db, database.pool, migrations);
    const clock = await startDatabaseClock(database.db);
    closers.add('clock', () => clock.stop());
    const secrets = createSecrets(siteKey);
    if (options.site !== 'as-found') await warnOfOtherKey(database.db, secrets, settings, log);
    const platform = { settings, log, db: database.db, clock, secrets };
    return { platform, database, closers };
  } catch (error) {
    await closers.closeAll();
    throw error;
  }
}

async function openDatabase(
  settings: Settings,
  log: Log,
  options: OpenOptions,
  closers: Closers,
): Promise<Database> {
  const { databaseUrl, dataDir } = settings;
  if (databaseUrl !== undefined) return openOutsideDatabase(databaseUrl, log, closers);
  const { use, onDatabaseLost, whileWaiting } = options;
  const keep = onDatabaseLost && { keep: { log, giveUp: onDatabaseLost } };
  const own = await openEmbeddedDatabase({ dataDir, use, ...keep, ...(whileWaiting && { whileWaiting }) });
  closers.add('PostgreSQL', () => own.release());
  const database = connect(own.connection, log);
  closers.add('connections', () => database.close());
  return database;
}

async function openOutsideDatabase(url: string, log: Log, closers: Closers): Promise<Database> {
  const database = connect({ connectionString: url }, log);
  closers.add('connections', () => database.close());
  try {
    (await database.pool.connect()).release();
    return database;
  } catch (error) {
    const { code = 'no answer' } = error as NodeJS.ErrnoException;
    throw new StartupError(
      `ONWARD_DATABASE_URL: ${unreachable[code] ?? 'the database cannot be reached'} (${code}). ` +
        'For example: ONWARD_DATABASE_URL=postgres://onward:secret@127.0.0.1:5432/onward',
    );
  }
}

/** By the codes of PostgreSQL and of the network. */
const unreachable: Readonly<Record<string, string>> = {
  '28000': 'PostgreSQL does not let this user in',
  '28P01': 'PostgreSQL does not take this password',
  '3D000': 'PostgreSQL has no database of this name',
  '53300': 'PostgreSQL has no connection left',
  '57P03': 'PostgreSQL is still starting',
  ECONNREFUSED: 'nothing answers at this host and port',
  ENOTFOUND: 'there is no host of this name',
  ETIMEDOUT: 'this host does not answer',
};

async function warnOfOtherKey(db: Db, secrets: SiteSecrets, settings: Settings, log: Log): Promise<void> {
  if (await recogniseSiteKey(db, secrets)) return;
  log.warn(
    { site_key_file: settings.siteKeyFile },
    'this database was made under another site key: its tokens do not work here, everybody must make new keys, and ' +
      'duplicates of older referrals are not noticed. If the key file was lost or mixed up, stop and put it back',
  );
}
