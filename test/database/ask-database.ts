import pg from 'pg';
import { openEmbeddedDatabase } from '../../src/platform/database/index.ts';
import type { SiteProcess } from '../app/site-process.ts';

/** The rows of one statement in a running site's database, its own or an outside one. */
export async function askDatabase<Row>(
  { env, dataDir }: SiteProcess,
  statement: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const url = env.ONWARD_DATABASE_URL || undefined;
  const own = url === undefined ? await openEmbeddedDatabase({ dataDir, use: 'command' }) : undefined;
  const client = new pg.Client(own?.connection ?? url);
  await client.connect();
  try {
    return (await client.query(statement, values)).rows as Row[];
  } finally {
    await client.end();
    await own?.release();
  }
}
