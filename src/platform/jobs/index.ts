export { addJob, type JobOptions } from './add-job.ts';
export { type JobHandlers, startWorker, type Worker } from './start-worker.ts';
