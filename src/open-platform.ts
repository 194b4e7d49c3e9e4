import { openAudit } from './audit/index.ts';
import { rememberSite, requireNamedDatabase, requireSameSite } from './data-directory-site.ts';
import { migrations } from './migrations.ts';
import { startDatabaseClock } from './platform/clock/database-clock.ts';
import { type Closers, createClosers } from './platform/closers.ts';
import {
  connect,
  type Database,
  type Db,
  type Mode,
  migrate,
  openEmbeddedDatabase,
  prepareDataDirectory,
  readSiteFacts,
  requireUsableServer,
  requireWholeRestore,
  type Use,
} from './platform/database/index.ts';
import type { Log } from './platform/log/index.ts';
import { createMetrics } from './platform/metrics/index.ts';
import type { Platform } from './platform/platform.ts';
import { createSecrets, makeSiteKey, otherReadersOfKey, readSiteKey } from './platform/secrets/index.ts';
import type { Settings } from './platform/settings/index.ts';
import { StartupError } from './platform/startup-error.ts';
import { requireSiteFiles, requireTables } from './require-site.ts';
import { missingKey, readMode, recordIdentity, requireKey, requireMode } from './site-identity.ts';

export type OpenPlatform = {
  readonly platform: Platform;
  readonly database: Database;
  /** Whatever is opened on top is added here, and so is closed first. */
  readonly closers: Closers;
};

export type OpenOptions = {
  use: Use;
  /**
   * needed: where there is no site yet, that is refused, and nothing is left behind. made: an empty one is made there.
   * as-found: the database is left as it is, and may be without tables.
   */
  site: 'needed' | 'made' | 'as-found';
  /** Refuses what the command will not do, before anything in the database is changed. @throws StartupError */
  inspect?: (db: Db) => Promise<void>;
  /** Leaves it to the command whether the database's mode or key is this process's: it changes one of them. */
  identity?: 'any-mode' | 'any-key';
  /** The site's own PostgreSQL has gone away for good, and this process cannot go on. */
  onDatabaseLost?: () => void;
  /** What this process can do while PostgreSQL's programs work; called once or several times. */
  whileWaiting?: () => void;
};

/**
 * Opens what the site and every command need: the data directory, the database with today's tables, the clock and the
 * site key. Whether the database is of this process's mode and key is looked at before anything in it is changed.
 * @throws StartupError for whatever the operator can mend.
 */
export async function openPlatform(
  settings: Settings,
  log: Log,
  options: OpenOptions,
): Promise<OpenPlatform> {
  const closers = createClosers(log);
  try {
    if (options.use !== 'move') await requireNamedDatabase(settings, options.site === 'made');
    if (options.site === 'needed') await requireSiteFiles(settings);
    const existingKey = await readSiteKey(settings.siteKeyFile);
    if (!existingKey && (settings.siteKeyIsNamed || options.site !== 'made')) throw missingKey(settings);
    await prepareDataDirectory(settings.dataDir);
    const database = await openDatabase(settings, log, options, closers);
    // The database may have been moved elsewhere while this process waited to open it.
    if (options.use !== 'move') await requireNamedDatabase(settings, false);
    if (options.site !== 'as-found') await requireWholeRestore(database.db);
    if (options.site === 'needed') await requireTables(database.db);
    const { mode, siteKey } = await identify(database, settings, options, existingKey);
    const secrets = createSecrets(siteKey);
    openAudit(database.db, secrets);
    if (options.site !== 'as-found') {
      await options.inspect?.(database.db);
      await migrate(database.db, database.pool, migrations);
      await recordIdentity(database.db, mode, secrets, settings, options.identity);
      await rememberSite(settings, (await readSiteFacts(database.db)).id!);
      await warnOfReaders(settings, log);
    }
    const clock = await startDatabaseClock(database.db);
    closers.add('clock', () => clock.stop());
    const platform = { settings, log, db: database.db, clock, secrets, metrics: createMetrics() };
    return { platform, database, closers };
  } catch (error) {
    await closers.closeAll();
    throw error;
  }
}

/** Decides which site this is, and which key it has; makes the key where the database belongs to none yet. */
async function identify(
  { db }: Database,
  settings: Settings,
  { site, identity }: OpenOptions,
  existingKey: Buffer | undefined,
): Promise<{ mode: Mode; siteKey: Buffer }> {
  const facts = await readSiteFacts(db);
  if (site !== 'as-found') await requireSameSite(settings, facts.id);
  const mode = site === 'as-found' ? settings.mode : await readMode(db, facts, settings);
  if (site !== 'as-found' && identity !== 'any-mode') requireMode(mode, settings);
  if (existingKey) {
    if (site !== 'as-found' && identity !== 'any-key')
      requireKey(facts, createSecrets(existingKey), settings);
    return { mode, siteKey: existingKey };
  }
  if (facts.keyMark) throw missingKey(settings);
  return { mode, siteKey: await makeSiteKey(settings.siteKeyFile) };
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

/** @throws StartupError where it cannot be reached, or cannot serve a site. */
export async function openOutsideDatabase(
  url: string,
  log: Log,
  closers: Pick<Closers, 'add'>,
): Promise<Database> {
  const database = connect({ connectionString: url }, log);
  closers.add('connections', () => database.close());
  try {
    await requireUsableServer(database.pool);
    return database;
  } catch (error) {
    if (error instanceof StartupError) throw error;
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

async function warnOfReaders({ siteKeyFile }: Settings, log: Log): Promise<void> {
  const readers = await otherReadersOfKey(siteKeyFile);
  if (readers === undefined) return;
  log.warn(
    { site_key_file: siteKeyFile },
    `the site key is not secret: ${readers}. Let only the site’s user read it (chmod 600)`,
  );
}
