/** How to reach a PostgreSQL: what `pg` takes. */
export type Connection = { host: string; port: number; user: string; password: string; database: string };

/** The superuser that initdb makes, and the database that the site keeps its tables in. */
export const USER = 'onward';
export const DATABASE = 'onward';

/**
 * The leases live here and not in the site's database, so that a restore may drop and remake that one
 * without cutting its own claim on the directory.
 */
export const MAINTENANCE_DATABASE = 'postgres';

/** The number in the socket's name, where there is one; nothing listens on this TCP port. */
export const SOCKET_PORT = 5432;

/** The whole path has to fit the kernel's limit: 107 bytes on Linux, 103 on macOS. */
export function socketFits(cluster: string): boolean {
  const path = `${cluster}/.s.PGSQL.${SOCKET_PORT}`;
  return process.platform !== 'win32' && Buffer.byteLength(path) <= 103;
}
