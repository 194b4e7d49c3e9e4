export { addJobs, addKeyedJob } from './add-jobs.ts';
export {
  countJobs,
  deleteUnusedQueues,
  discardGivenUpJob,
  findStuckJobs,
  isWorkerRunning,
  listGivenUpJobs,
  mayHaveJobSql,
  retryGivenUpJob,
  type StuckJobs,
} from './queue-state.ts';
export { dailyAt, hourlyAt, mondaysAt, type Schedule } from './schedule.ts';
export { type DueWork, handleAllDue, handleEach } from './work-on-due.ts';
export { type JobHandlers, startWorker, type Worker } from './worker.ts';
