import type { SiteProcess } from '../app/site-process.ts';
import { askDatabase } from '../database/ask-database.ts';

/** Adds a job to a running site's queue, as its schedule does, so that a test need not wait five minutes. */
export async function addJob(site: SiteProcess, name: string): Promise<void> {
  await askDatabase(site, 'select graphile_worker.add_job($1)', [name]);
}
