import type { Trx } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids/index.ts';
import { addJobs } from '../../platform/jobs/index.ts';
import { insertChunk, insertImportJob, type NewImportJob } from './job-store.ts';

/**
 * Adds an import, and the job that runs it.
 * @param address of a feed, if it has something secret that its name leaves out. It is kept where the file of an upload would be, so
 *   what deletes such a file deletes it too.
 * @returns the import’s id.
 */
export async function addImportJob(trx: Trx, job: NewImportJob, at: Date, address?: string): Promise<string> {
  const id = newId(at.getTime());
  await insertImportJob(trx, id, job, at);
  if (address !== undefined) await insertChunk(trx, id, 0, Buffer.from(address));
  const receiver = job.isFeed ? job.name : undefined;
  await addJobs(trx, 'import-library', [{ import_id: id, receiver, lasting: true }]);
  return id;
}
