export { addJobs } from './add-jobs.ts';
export { type JobHandlers, startWorker, type Worker } from './start-worker.ts';
