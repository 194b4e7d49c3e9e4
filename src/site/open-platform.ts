import { openAudit } from '../audit/index.ts';
import { startDatabaseClock } from '../platform/clock/database-clock.ts';
import { loadContacts } from '../platform/contacts/index.ts';
import {
  connect,
  type Database,
  type Db,
  type Mode,
  migrate,
  openEmbeddedDatabase,
  type Purpose,
  prepareDataDirectory,
  readSiteFacts,
  refuseUnfinishedRestore,
  requireUsableServer,
  type SiteFacts,
} from '../platform/database/index.ts';
import type { Log } from '../platform/log/index.ts';
import { createMetrics } from '../platform/metrics/index.ts';
import type { Platform } from '../platform/platform.ts';
import { type Closers, createClosers } from '../platform/process/closers.ts';
import { StartupError } from '../platform/process/startup-error.ts';
import { createSecrets, makeSiteKey, otherReadersOfKey, readSiteKey } from '../platform/secrets/index.ts';
import type { Settings } from '../platform/settings/index.ts';
import {
  refuseMissingDatabaseUrl,
  requireSameSite,
  requireSiteFiles,
  requireTables,
  writeSiteId,
} from './check-data-directory.ts';
import { decideMode, missingKey, recordIdentity, requireKey, requireMode } from './identity.ts';
import { migrations } from './migrations.ts';

export type OpenPlatform = {
  readonly platform: Platform;
  readonly database: Database;
  /** Anything opened later is added here and closed first. */
  readonly closers: Closers;
};

export type OpenOptions = {
  purpose: Purpose;
  /**
   * `existing`: refuses if there is no site yet, and leaves nothing behind. `new-or-existing`: makes an empty site if there is none.
   * Both bring the database to this version and check its mode and key. `untouched`: does neither; it may have no tables.
   */
  openAs: 'existing' | 'new-or-existing' | 'untouched';
  /** Checks of a command before anything in the database is changed. @throws StartupError */
  inspect?: (db: Db) => Promise<void>;
  /** Skips the check of the database's mode or key, for a command that changes it. */
  skipCheck?: 'mode' | 'key';
  /** Called when the site's own PostgreSQL is lost for good, so that this process cannot go on. */
  onDatabaseLost?: () => void;
  /** Called, perhaps several times, while PostgreSQL's programs work. */
  whileWaiting?: () => void;
};

/**
 * Opens what the site and every command need: the data directory, the database with this version's tables, the clock and
 * the site key. Checks that the database has this process's mode and key before anything in it is changed.
 * @throws StartupError for everything that the operator can put right.
 */
export async function openPlatform(
  settings: Settings,
  log: Log,
  options: OpenOptions,
): Promise<OpenPlatform> {
  const closers = createClosers(log);
  try {
    if (options.purpose !== 'move')
      await refuseMissingDatabaseUrl(settings, options.openAs === 'new-or-existing');
    if (options.openAs === 'existing') await requireSiteFiles(settings);
    const existingKey = await readSiteKey(settings.siteKeyFile);
    const mayMakeKey = options.openAs === 'new-or-existing' && !settings.siteKeyIsNamed;
    if (!existingKey && !mayMakeKey) {
      // A wrong database is reported before a missing key: the key may belong to another database.
      if (settings.databaseUrl !== undefined) await openOutsideDatabase(settings.databaseUrl, log, closers);
      throw missingKey(settings);
    }
    await prepareDataDirectory(settings.dataDir);
    const database = await openDatabase(settings, log, options, closers);
    // The database may have been moved elsewhere while this process waited to open it.
    if (options.purpose !== 'move') await refuseMissingDatabaseUrl(settings, false);
    if (options.openAs !== 'untouched') await refuseUnfinishedRestore(database.db);
    if (options.openAs === 'existing') await requireTables(database.db);
    const { mode, siteKey } = await requireModeAndKey(database, settings, options, existingKey);
    const secrets = createSecrets(siteKey);
    openAudit(database.db, secrets);
    if (options.openAs !== 'untouched') {
      await options.inspect?.(database.db);
      await migrate(database.db, database.pool, migrations);
      await recordIdentity(database.db, mode, secrets, settings, options.skipCheck);
      await writeSiteId(settings, (await readSiteFacts(database.db)).id!);
      await warnOfKeyReaders(settings, log);
      await loadContacts(database.db, settings);
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

/** Finds the mode and the key of the site; makes the key of a new site. */
async function requireModeAndKey(
  { db }: Database,
  settings: Settings,
  options: OpenOptions,
  existingKey: Buffer | undefined,
): Promise<{ mode: Mode; siteKey: Buffer }> {
  const { openAs, skipCheck } = options;
  const facts = await readSiteFacts(db);
  if (openAs !== 'untouched') await requireSameSite(settings, facts.id);
  const mode = await checkMode(db, facts, settings, options);
  if (existingKey) {
    if (openAs !== 'untouched' && skipCheck !== 'key')
      requireKey(facts, createSecrets(existingKey), settings);
    return { mode, siteKey: existingKey };
  }
  if (facts.keyFingerprint) throw missingKey(settings);
  return { mode, siteKey: await makeSiteKey(settings.siteKeyFile) };
}

/** @returns the mode of the site, if it is this process's too. @throws StartupError if it is another one. */
async function checkMode(
  db: Db,
  facts: SiteFacts,
  settings: Settings,
  { openAs, skipCheck }: OpenOptions,
): Promise<Mode> {
  if (openAs === 'untouched') return settings.mode;
  const mode = await decideMode(db, facts, settings);
  if (skipCheck !== 'mode') requireMode(mode, settings);
  return mode;
}

/** Checks the mode while we are still superuser, before the site's own role gets the database. @throws StartupError */
async function checkModeBeforeHandOver(
  superuser: Database['connection'],
  settings: Settings,
  log: Log,
  options: OpenOptions,
): Promise<void> {
  const database = connect(superuser, log, 1);
  try {
    await checkMode(database.db, await readSiteFacts(database.db), settings, options);
  } finally {
    await database.close();
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
  const { purpose, onDatabaseLost, whileWaiting } = options;
  // Start PostgreSQL again if it stops.
  const restart = onDatabaseLost ? { keepRunning: { log, giveUp: onDatabaseLost } } : {};
  const own = await openEmbeddedDatabase({
    dataDir,
    purpose,
    ...restart,
    ...(whileWaiting && { whileWaiting }),
    beforeHandOver: (superuser) => checkModeBeforeHandOver(superuser, settings, log, options),
  });
  closers.add('PostgreSQL', () => own.release());
  const database = connect(own.connection, log);
  closers.add('connections', () => database.close());
  return database;
}

/** Connects to the database at a URL. @throws StartupError if it cannot be reached, or cannot serve a site. */
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
      `ONWARD_DATABASE_URL: ${connectFailures[code] ?? 'the database cannot be reached'} (${code}). ` +
        'For example: ONWARD_DATABASE_URL=postgres://onward:secret@127.0.0.1:5432/onward',
    );
  }
}

/** Reasons by the error codes of PostgreSQL and of the network. */
const connectFailures: Readonly<Record<string, string>> = {
  '28000': 'PostgreSQL does not let this user in',
  '28P01': 'PostgreSQL does not take this password',
  '3D000': 'PostgreSQL has no database of this name',
  '53300': 'PostgreSQL has no connection left',
  '57P03': 'PostgreSQL is still starting',
  ECONNREFUSED: 'nothing answers at this host and port',
  ENOTFOUND: 'there is no host of this name',
  ETIMEDOUT: 'this host does not answer',
};

async function warnOfKeyReaders({ siteKeyFile }: Settings, log: Log): Promise<void> {
  const readers = await otherReadersOfKey(siteKeyFile);
  if (readers === undefined) return;
  log.warn(
    { site_key_file: siteKeyFile },
    `the site key is not secret: ${readers}. Let only the site’s user read it (chmod 600)`,
  );
}
