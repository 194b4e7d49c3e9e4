import type { Trx } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids/index.ts';
import { addJobs } from '../../platform/jobs/index.ts';
import { insertImportJob, type NewImportJob } from './job-store.ts';

/** Adds an import, and the job that runs it. @returns the import’s id. */
export async function addImportJob(trx: Trx, job: NewImportJob, at: Date): Promise<string> {
  const id = newId(at.getTime());
  await insertImportJob(trx, id, job, at);
  const receiver = job.isFeed ? job.name : undefined;
  await addJobs(trx, 'import-library', [{ import_id: id, receiver, lasting: true }]);
  return id;
}
