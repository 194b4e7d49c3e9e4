import type pg from 'pg';
import { connect, type Database, openEmbeddedDatabase } from '../../src/platform/database/index.ts';
import { createLog } from '../../src/platform/log/index.ts';
import type { SiteProcess } from '../process/site-process.ts';

type Look<T> = (database: Database) => Promise<T>;

/** Looks into the database of a site that is a process of its own: the site's own database, or an outside one. */
export async function inDatabaseOf<T>({ env, dataDir }: SiteProcess, look: Look<T>): Promise<T> {
  if (env.ONWARD_DATABASE_URL) return inDatabaseAt({ connectionString: env.ONWARD_DATABASE_URL }, look);
  const { connection, release } = await openEmbeddedDatabase({ dataDir, purpose: 'command' });
  try {
    return await inDatabaseAt(connection, look);
  } finally {
    await release();
  }
}

/** Looks into a database at this address. */
export async function inDatabaseAt<T>(connection: pg.ClientConfig, look: Look<T>): Promise<T> {
  const database = connect(connection, createLog('silent'));
  try {
    return await look(database);
  } finally {
    await database.close();
  }
}
