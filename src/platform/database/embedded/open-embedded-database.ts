import { setTimeout as delay } from 'node:timers/promises';
import { StartupError } from '../../process/startup-error.ts';
import { ensureCluster } from './cluster.ts';
import {
  appRole,
  type DatabaseConnection,
  maintenanceDatabase,
  siteDatabase,
  superuserName,
} from './connection.ts';
import { prepareDataDirectory } from './data-directory.ts';
import { programFailed } from './failures.ts';
import { askToStop, onForcedExit } from './forced-exit.ts';
import {
  type EmbeddedDatabase,
  type KeepRunningOptions,
  keepRunning,
  type OpenedServer,
} from './keep-running.ts';
import { type Lease, type Purpose, takeLease } from './lease.ts';
import { findRunningServer, type RunningServer } from './running-server.ts';
import { startServer, stopServer } from './server.ts';
import { appPassword, ensureDatabase } from './site-database.ts';

/** How long this process tries again while others start or stop PostgreSQL on the same directory. */
const maxContentionMs = 20_000;

export type EmbeddedDatabaseOptions = {
  /** An absolute path. The directory is made if it is missing (mode 0700). */
  dataDir: string;
  purpose: Purpose;
  /** More settings for PostgreSQL, which override ours (tests use fsync=off). */
  settings?: Record<string, string>;
  /** Called whenever one of PostgreSQL's programs has been started, so that the process can do other work meanwhile. */
  whileWaiting?: () => void;
  /**
   * Called before the database of an earlier version, which had no role for the site, is given to the role. If it
   * throws, nothing is changed.
   */
  beforeHandOver?: (superuser: DatabaseConnection) => Promise<void>;
  /** Start PostgreSQL again whenever it stops before `release`. */
  keepRunning?: KeepRunningOptions;
};

/**
 * Opens the site's own PostgreSQL: makes it in an empty directory, starts it, or joins the one that is running.
 * @throws StartupError for anything that the operator must put right, such as another site on the directory.
 */
export async function openEmbeddedDatabase(options: EmbeddedDatabaseOptions): Promise<EmbeddedDatabase> {
  const opened = await openServer(options);
  if (options.keepRunning === undefined) return opened;
  return keepRunning(opened, (earlier) => openAgain(options, earlier), options.keepRunning);
}

async function openServer(options: EmbeddedDatabaseOptions): Promise<OpenedServer> {
  const dataDir = await prepareDataDirectory(options.dataDir);
  const { settings = {}, whileWaiting = () => undefined } = options;
  const { cluster, password } = await ensureCluster(dataDir, whileWaiting);
  let giveUpAtMs = performance.now() + maxContentionMs;
  let startedPid: number | undefined;
  let obstacle = 'It stopped while this process was joining it.';
  do {
    const server = await findRunningServer(cluster);
    if (server === undefined) {
      const start = await startServer({ dataDir, cluster, password, settings, whileWaiting });
      if (start.outcome === 'ready') {
        // The wait starts again after a slow start, but only once: PostgreSQL might stop again and again.
        if (startedPid === undefined) giveUpAtMs = performance.now() + maxContentionMs;
        startedPid = start.pid;
      } else obstacle = start.obstacle;
    } else {
      const running = { dataDir, cluster, password, server, adopted: server.pid !== startedPid };
      const opened = await joinServer(running, options);
      if (opened) return opened;
    }
    // Another process is stopping or starting PostgreSQL: look again from the beginning.
    await delay(10);
  } while (performance.now() < giveUpAtMs);
  throw programFailed(`PostgreSQL did not start within ${maxContentionMs / 1000} s`, cluster, obstacle);
}

type FoundServer = {
  dataDir: string;
  cluster: string;
  password: string;
  server: RunningServer;
  adopted: boolean;
};

/** Claims and prepares a running PostgreSQL. Undefined if it is stopping: the caller then looks again. */
async function joinServer(
  { dataDir, cluster, password, server, adopted }: FoundServer,
  { purpose, beforeHandOver }: EmbeddedDatabaseOptions,
): Promise<OpenedServer | undefined> {
  const { host, port, pid } = server;
  const superuser = { host, port, user: superuserName, password, database: siteDatabase };
  const maintenance = { ...superuser, database: maintenanceDatabase };
  const lease = await takeLease({ dataDir, cluster, pid, connection: maintenance, purpose });
  if (lease === undefined) return undefined;
  await makeDatabaseReady(lease, superuser, cluster, beforeHandOver);
  const connection = { ...superuser, user: appRole, password: appPassword(password) };
  return openedServer({ cluster, connection, lease, pid, adopted, purpose });
}

/** Opens it again at its earlier address, to which pools connect again. */
async function openAgain(options: EmbeddedDatabaseOptions, earlier: OpenedServer): Promise<OpenedServer> {
  const { host, port } = earlier.connection;
  const reopened = await openServer({ ...options, settings: { ...options.settings, port: String(port) } });
  if (reopened.connection.host === host && reopened.connection.port === port) return reopened;
  // Another process has started it on another free port.
  await reopened.stopNow();
  await reopened.release();
  throw new StartupError(`PostgreSQL runs again, but no longer on ${host}, port ${port}.`);
}

async function makeDatabaseReady(
  lease: Lease,
  superuser: DatabaseConnection,
  cluster: string,
  beforeHandOver?: (superuser: DatabaseConnection) => Promise<void>,
): Promise<void> {
  try {
    await ensureDatabase(lease.client, superuser, cluster, beforeHandOver);
  } catch (error) {
    // Otherwise a failed start would leave PostgreSQL running.
    await lease.release();
    throw error;
  }
}

type LeasedServer = Omit<OpenedServer, 'release' | 'stopNow' | 'onLost'> & { lease: Lease; purpose: Purpose };

function openedServer({ lease, purpose, ...server }: LeasedServer): OpenedServer {
  let released: Promise<void> | undefined;
  // When a command is forced to exit, its PostgreSQL runs on: a site may be using it, and otherwise the next process joins it.
  const forgetForcedExit =
    purpose === 'site' ? onForcedExit(() => askToStop(server.cluster, server.pid)) : () => undefined;
  const release = () => {
    released ??= lease.release().finally(forgetForcedExit);
    return released;
  };
  return { ...server, release, stopNow: () => stopServer(server.cluster, server.pid), onLost: lease.onLost };
}
