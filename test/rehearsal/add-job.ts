import type { SiteProcess } from '../app/site-process.ts';
import { askDatabase } from '../database/ask-database.ts';

/** Adds a job to a running site's queue, as its clock does when the time has come: a test does not wait five minutes. */
export async function addJob(site: SiteProcess, name: string): Promise<void> {
  await askDatabase(site, 'select graphile_worker.add_job($1)', [name]);
}
