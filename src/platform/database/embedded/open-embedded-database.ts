import { setTimeout as delay } from 'node:timers/promises';
import { type Connection, DATABASE, MAINTENANCE_DATABASE, USER } from './connection.ts';
import { prepareDataDirectory } from './data-directory.ts';
import { ensureCluster } from './ensure-cluster.ts';
import { ensureDatabase } from './ensure-database.ts';
import { programFailed } from './explain-failure.ts';
import { findRunningServer } from './find-running-server.ts';
import { type Lease, takeLease } from './lease.ts';
import { startServer } from './start-server.ts';

/** How long starting is retried while others start, stop or die on the same directory. */
const CONTENTION_MS = 20_000;

export type EmbeddedDatabase = {
  /** What pg's Pool takes. */
  readonly connection: Connection;
  /** True when a PostgreSQL left running by a killed process (or run by another process of this site) was taken over. */
  readonly adopted: boolean;
  readonly pid: number;
  /** Gives up this process's use; the last user of the directory stops PostgreSQL cleanly. Idempotent. */
  release(): Promise<void>;
};

export type EmbeddedDatabaseOptions = {
  /** Absolute; created when missing (mode 0700). */
  dataDir: string;
  /** 'site' is exclusive among sites; commands run beside a site or alone. */
  use: 'site' | 'command';
  /** Further PostgreSQL settings; they win over ours (tests use fsync=off). */
  settings?: Record<string, string>;
  /** Called once when PostgreSQL goes away before `release`: this process's claim is void, and it should end. */
  onLost?: (error: Error) => void;
};

/**
 * Opens the site's own PostgreSQL: makes it on an empty directory, starts it, or joins the one that is running.
 * Throws a `StartupError` for whatever the operator has to mend, another site on the directory included.
 */
export async function openEmbeddedDatabase(options: EmbeddedDatabaseOptions): Promise<EmbeddedDatabase> {
  const dataDir = await prepareDataDirectory(options.dataDir);
  const { cluster, password } = await ensureCluster(dataDir);
  const giveUpAt = Date.now() + CONTENTION_MS;
  let startedPid: number | undefined;
  let obstacle = 'It went away while it was being joined.';
  do {
    const server = await findRunningServer(cluster);
    if (server === undefined) {
      const start = await startServer({ dataDir, cluster, password, settings: options.settings ?? {} });
      if (start.outcome === 'ready') startedPid = start.pid;
      else obstacle = start.obstacle;
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
        await prepare(lease, cluster, options.onLost);
        return opened({ connection, lease, pid: server.pid, adopted: server.pid !== startedPid });
      }
    }
    // A leaver is stopping PostgreSQL, or another process is starting it: look again from the beginning.
    await delay(10);
  } while (Date.now() < giveUpAt);
  throw programFailed(`PostgreSQL did not start within ${CONTENTION_MS / 1000} s`, cluster, obstacle);
}

async function prepare(lease: Lease, cluster: string, onLost?: (error: Error) => void): Promise<void> {
  try {
    await ensureDatabase(lease.client, cluster);
  } catch (error) {
    // Without this a failed start would leave PostgreSQL running with nobody to stop it.
    await lease.release();
    throw error;
  }
  if (onLost !== undefined) lease.onLost(onLost);
}

type Opened = Omit<EmbeddedDatabase, 'release'> & { lease: Lease };

function opened({ lease, ...database }: Opened): EmbeddedDatabase {
  let released: Promise<void> | undefined;
  const release = () => {
    released ??= lease.release();
    return released;
  };
  return { ...database, release };
}
