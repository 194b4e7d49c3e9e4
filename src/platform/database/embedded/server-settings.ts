import { createServer } from 'node:net';
import { socketFits, socketPort } from './connection.ts';

/**
 * PostgreSQL's settings as command-line arguments, which override its own files. `extra` overrides ours.
 */
export async function serverArguments(cluster: string, extra: Record<string, string>): Promise<string[]> {
  const settings = {
    ...(await listenSettings(cluster)),
    ...sizeSettings,
    ...safetySettings,
    ...logSettings,
    ...extra,
  };
  const pairs = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return ['-D', cluster, ...pairs];
}

/** Listens on a socket in the cluster's directory (0700) and not on TCP; on loopback TCP if the path is too long. */
async function listenSettings(cluster: string): Promise<Record<string, string>> {
  if (socketFits(cluster)) {
    // Relative to the cluster: an absolute path with a comma in it would be read as two directories.
    const socket = { unix_socket_directories: '.', unix_socket_permissions: '0700' };
    return { listen_addresses: '', port: String(socketPort), ...socket };
  }
  const port = String(await freePort());
  return { listen_addresses: '127.0.0.1', port, unix_socket_directories: '' };
}

/** Suits a small site on a small machine: few helper processes, little memory, solid-state disk. */
const sizeSettings = {
  shared_buffers: '64MB',
  wal_buffers: '4MB',
  huge_pages: 'off',
  effective_cache_size: '512MB',
  max_connections: '60',
  io_method: 'sync',
  max_logical_replication_workers: '0',
  max_wal_senders: '0',
  wal_level: 'minimal',
  min_wal_size: '32MB',
  // Importing a whole country's services then needs one checkpoint instead of three.
  max_wal_size: '512MB',
  jit: 'off',
  random_page_cost: '1.1',
};

/** A power cut loses nothing that the site has confirmed. */
const safetySettings = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
};

/**
 * Statements, parameters and rows hold patient data, so none may reach the log. `terse` leaves out the lines that quote
 * them: the key of a duplicate, the statement of a crashed session, both statements of a deadlock.
 */
const logSettings = {
  logging_collector: 'off',
  log_destination: 'stderr',
  log_min_messages: 'warning',
  log_error_verbosity: 'terse',
  log_statement: 'none',
  log_min_error_statement: 'panic',
  log_min_duration_statement: '-1',
  log_min_duration_sample: '-1',
  log_duration: 'off',
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
  log_checkpoints: 'off',
  log_connections: '',
  log_disconnections: 'off',
  log_timezone: 'UTC',
  timezone: 'UTC',
};

/** A free TCP port on loopback. If another program takes it first, the start is tried again. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
