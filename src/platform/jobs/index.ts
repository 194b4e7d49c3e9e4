export { addJobs } from './add-jobs.ts';
export type { JobHandlers } from './run-queue.ts';
export { startWorker, type Worker } from './start-worker.ts';
