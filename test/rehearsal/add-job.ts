import { inDatabaseOf } from '../database/site-database.ts';
import type { SiteProcess } from '../process/site-process.ts';

/** Adds a job to a running site's queue, as its schedule does, so that a test need not wait five minutes. */
export async function addJob(site: SiteProcess, name: string): Promise<void> {
  await inDatabaseOf(site, ({ pool }) => pool.query('select graphile_worker.add_job($1)', [name]));
}
