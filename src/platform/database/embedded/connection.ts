import pg from 'pg';
import { StartupError } from '../../process/startup-error.ts';
import { isServerGone } from '../errors.ts';

/** How to reach a PostgreSQL: what `pg` takes. */
export type DatabaseConnection = {
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
};

/** The superuser that initdb makes. It starts and stops PostgreSQL, and prepares the site's database. */
export const superuserName = 'onward';
/** The role that the site connects as. It owns the site's tables, and has no rights beyond them. */
export const appRole = 'onward_app';
/** The database that holds the site's tables. */
export const siteDatabase = 'onward';

/**
 * Leases are connections to this database and not to the site's, so that the site's can be dropped and made again
 * without losing the claim on the directory.
 */
export const maintenanceDatabase = 'postgres';

/** The number in the socket's name. Nothing listens on this TCP port. */
export const socketPort = 5432;

const connectTimeoutMs = 10_000;
const queryTimeoutMs = 10_000;

/** Whether the socket's path is within the kernel's limit: 107 bytes on Linux, 103 on macOS. */
export function socketFits(cluster: string): boolean {
  const path = `${cluster}/.s.PGSQL.${socketPort}`;
  return process.platform !== 'win32' && Buffer.byteLength(path) <= 103;
}

/**
 * Connects, or answers undefined if PostgreSQL has stopped.
 * @throws StartupError if it refuses the connection: a server that does not accept our password is not ours.
 */
export async function connectUnlessGone(
  connection: DatabaseConnection,
  name: string,
): Promise<pg.Client | undefined> {
  const client = new pg.Client({
    ...connection,
    application_name: name,
    ssl: false,
    keepAlive: true,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: queryTimeoutMs,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    if (isServerGone(error)) return undefined;
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartupError(
      `The PostgreSQL on ${connection.host}, port ${connection.port}, refused this process: ${reason}. ` +
        'Stop it, restore the data directory from a backup if its password was changed, or set ONWARD_DATA_DIR.',
    );
  }
}
