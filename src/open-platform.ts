import { mkdir } from 'node:fs/promises';
import { migrations } from '../migrations/index.ts';
import { startDatabaseClock } from './platform/clock/database-clock.ts';
import { connect, type Database, migrate, openEmbeddedDatabase } from './platform/database/index.ts';
import type { Log } from './platform/log/index.ts';
import type { Platform } from './platform/platform.ts';
import { createSecrets, loadSiteKey } from './platform/secrets/index.ts';
import type { Settings } from './platform/settings/index.ts';
import { StartupError } from './platform/startup-error.ts';

export type OpenPlatform = {
  readonly platform: Platform;
  readonly database: Database;
  /** Called when the site's own PostgreSQL has gone away and this process cannot go on. */
  onDatabaseLost(act: () => void): void;
  /** Closes what was opened, the last first. */
  close(): Promise<void>;
};

/**
 * Opens what the site and every command need: the data directory, the database with today's tables, the clock and the
 * site key.
 * @throws StartupError for whatever the operator can mend.
 */
export async function openPlatform(
  settings: Settings,
  log: Log,
  use: 'site' | 'command',
): Promise<OpenPlatform> {
  const closers: (() => unknown)[] = [];
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  let lost: () => void = () => undefined;
  try {
    const siteKey = await loadSiteKey(settings.siteKeyFile);
    const database = await openDatabase(settings, log, use, closers, () => lost());
    await migrate(database.db, database.pool, migrations);
    const clock = await startDatabaseClock(database.db);
    closers.push(() => clock.stop());
    const platform = { settings, log, db: database.db, clock, secrets: createSecrets(siteKey) };
    const onDatabaseLost = (act: () => void) => {
      lost = act;
    };
    return { platform, database, onDatabaseLost, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openDatabase(
  settings: Settings,
  log: Log,
  use: 'site' | 'command',
  closers: (() => unknown)[],
  onLost: () => void,
): Promise<Database> {
  const { databaseUrl, dataDir } = settings;
  if (databaseUrl === undefined) {
    const own = await openEmbeddedDatabase({ dataDir, use, onLost });
    closers.push(() => own.release());
    const database = connect(own.connection, log);
    closers.push(() => database.close());
    return database;
  }
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const database = connect({ connectionString: databaseUrl }, log);
  closers.push(() => database.close());
  const client = await database.pool.connect().catch((error: NodeJS.ErrnoException) => {
    throw new StartupError(
      `ONWARD_DATABASE_URL: the database cannot be reached (${error.code ?? error.message}). ` +
        'For example: ONWARD_DATABASE_URL=postgres://onward:secret@127.0.0.1:5432/onward',
    );
  });
  client.release();
  return database;
}
