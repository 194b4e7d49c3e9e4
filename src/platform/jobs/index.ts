export { addJobs } from './add-jobs.ts';
export { addKeyedJob } from './add-keyed-job.ts';
export { countJobs } from './count-jobs.ts';
export { findTroubledJobs, type TroubledJobs } from './find-troubled-jobs.ts';
export { forgetJob, listGivenUpJobs, tryJobAgain } from './given-up-jobs.ts';
export type { Schedule } from './run-due.ts';
export type { JobHandlers } from './run-queue.ts';
export { startWorker, type Worker } from './start-worker.ts';
