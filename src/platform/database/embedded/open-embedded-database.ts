import { setTimeout as delay } from 'node:timers/promises';
import { StartupError } from '../../startup-error.ts';
import { DATABASE, MAINTENANCE_DATABASE, USER } from './connection.ts';
import { prepareDataDirectory } from './data-directory.ts';
import { ensureCluster } from './ensure-cluster.ts';
import { ensureDatabase } from './ensure-database.ts';
import { programFailed } from './explain-failure.ts';
import { findRunningServer } from './find-running-server.ts';
import { type EmbeddedDatabase, type Keeping, keepRunning, type OpenedServer } from './keep-running.ts';
import { type Lease, takeLease } from './lease.ts';
import { startServer } from './start-server.ts';
import { stopServer } from './stop-server.ts';

/** How long starting is retried while others start, stop or die on the same directory. */
const CONTENTION_MS = 20_000;

export type EmbeddedDatabaseOptions = {
  /** Absolute; created when missing (mode 0700). */
  dataDir: string;
  /** 'site' is exclusive among sites; commands run beside a site or alone. */
  use: 'site' | 'command';
  /** Further PostgreSQL settings; they win over ours (tests use fsync=off). */
  settings?: Record<string, string>;
  /** Called when a program of PostgreSQL has been started, for what can be done while it works; perhaps several times. */
  whileWaiting?: () => void;
  /** Start PostgreSQL again whenever it goes away before `release`. */
  keep?: Keeping;
};

/**
 * Opens the site's own PostgreSQL: makes it on an empty directory, starts it, or joins the one that is running.
 * Throws a `StartupError` for whatever the operator has to mend, another site on the directory included.
 */
export async function openEmbeddedDatabase(options: EmbeddedDatabaseOptions): Promise<EmbeddedDatabase> {
  const opened = await openServer(options);
  if (options.keep === undefined) return opened;
  return keepRunning(opened, (earlier) => openAgain(options, earlier), options.keep);
}

async function openServer(options: EmbeddedDatabaseOptions): Promise<OpenedServer> {
  const dataDir = await prepareDataDirectory(options.dataDir);
  const { settings = {}, whileWaiting = () => undefined } = options;
  const { cluster, password } = await ensureCluster(dataDir, whileWaiting);
  let giveUpAt = performance.now() + CONTENTION_MS;
  let startedPid: number | undefined;
  let obstacle = 'It went away while it was being joined.';
  do {
    const server = await findRunningServer(cluster);
    if (server === undefined) {
      const start = await startServer({ dataDir, cluster, password, settings, whileWaiting });
      if (start.outcome === 'ready') {
        // However long that took: what this process started, it joins. Not for ever, where that goes away each time.
        if (startedPid === undefined) giveUpAt = performance.now() + CONTENTION_MS;
        startedPid = start.pid;
      } else obstacle = start.obstacle;
    } else {
      const connection = { host: server.host, port: server.port, user: USER, password, database: DATABASE };
      const maintenance = { ...connection, database: MAINTENANCE_DATABASE };
      const lease = await takeLease({
        dataDir,
        cluster,
        pid: server.pid,
        connection: maintenance,
        use: options.use,
      });
      if (lease !== undefined) {
        await prepare(lease, cluster);
        return openedServer({
          cluster,
          connection,
          lease,
          pid: server.pid,
          adopted: server.pid !== startedPid,
        });
      }
    }
    // A leaver is stopping PostgreSQL, or another process is starting it: look again from the beginning.
    await delay(10);
  } while (performance.now() < giveUpAt);
  throw programFailed(`PostgreSQL did not start within ${CONTENTION_MS / 1000} s`, cluster, obstacle);
}

/** Connections that are made again go to the address that they had. */
async function openAgain(options: EmbeddedDatabaseOptions, earlier: OpenedServer): Promise<OpenedServer> {
  const { host, port } = earlier.connection;
  const reopened = await openServer({ ...options, settings: { ...options.settings, port: String(port) } });
  if (reopened.connection.host === host && reopened.connection.port === port) return reopened;
  // Somebody else has started it, where it has to listen on a port that was free just then.
  await reopened.cut();
  await reopened.release();
  throw new StartupError(`PostgreSQL runs again, but no longer on ${host}, port ${port}.`);
}

async function prepare(lease: Lease, cluster: string): Promise<void> {
  try {
    await ensureDatabase(lease.client, cluster);
  } catch (error) {
    // Without this a failed start would leave PostgreSQL running with nobody to stop it.
    await lease.release();
    throw error;
  }
}

type Opened = Omit<OpenedServer, 'release' | 'cut' | 'onLost'> & { lease: Lease };

function openedServer({ lease, ...server }: Opened): OpenedServer {
  let released: Promise<void> | undefined;
  const release = () => {
    released ??= lease.release();
    return released;
  };
  return { ...server, release, cut: () => stopServer(server.cluster, server.pid), onLost: lease.onLost };
}
