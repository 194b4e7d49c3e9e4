import pg from 'pg';
import { openEmbeddedDatabase } from '../../src/platform/database/index.ts';
import type { SiteProcess } from '../site-process.ts';

/** Adds a job to a running site's queue, as its clock does when the time has come: a test does not wait five minutes. */
export async function addJob({ env, dataDir }: SiteProcess, name: string): Promise<void> {
  const url = env.ONWARD_DATABASE_URL;
  const own = url === undefined ? await openEmbeddedDatabase({ dataDir, use: 'command' }) : undefined;
  const client = new pg.Client(own?.connection ?? url);
  await client.connect();
  await client.query('select graphile_worker.add_job($1)', [name]);
  await client.end();
  await own?.release();
}
