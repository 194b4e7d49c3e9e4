import pg from 'pg';
import { StartupError } from '../../startup-error.ts';
import type { Connection } from './connection.ts';
import { errorCode } from './explain-failure.ts';

const CONNECT_MS = 10_000;
const QUERY_MS = 10_000;

/** No longer listening, cut off in mid-sentence, or PostgreSQL saying that it is shutting down or starting up. */
const GONE = new Set(['ECONNREFUSED', 'ENOENT', 'ECONNRESET', 'EPIPE', '57P01', '57P02', '57P03']);

/**
 * Connects, or answers undefined when PostgreSQL went away in the meantime.
 * Throws a `StartupError` when it is there and turns us away: a server that does not know our password is not ours.
 */
export async function connectUnlessGone(
  connection: Connection,
  name: string,
): Promise<pg.Client | undefined> {
  const client = new pg.Client({
    ...connection,
    application_name: name,
    ssl: false,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: QUERY_MS,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    if (isGone(error)) return undefined;
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartupError(
      `The PostgreSQL on ${connection.host}, port ${connection.port}, turned this process away: ${reason}. ` +
        'Stop it, restore the data directory from a backup if its password was changed, or set ONWARD_DATA_DIR.',
    );
  }
}

/** Whether an error means that PostgreSQL went away. */
export function isGone(error: unknown): boolean {
  if (GONE.has(errorCode(error) ?? '')) return true;
  return (
    error instanceof Error &&
    /^Connection terminated|Client has encountered a connection error/.test(error.message)
  );
}
