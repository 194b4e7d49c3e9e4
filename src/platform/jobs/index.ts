export { addJobs, addKeyedJob } from './add-jobs.ts';
export {
  countJobs,
  deleteUnusedQueues,
  discardGivenUpJob,
  findTroubledJobs,
  isWorkerRunning,
  listGivenUpJobs,
  mayHaveJob,
  retryGivenUpJob,
  type TroubledJobs,
} from './queue-state.ts';
export type { Schedule } from './schedule.ts';
export { type JobHandlers, startWorker, type Worker } from './worker.ts';
