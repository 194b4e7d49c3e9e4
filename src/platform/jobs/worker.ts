import { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Runner, WorkerEvents, WorkerPool } from 'graphile-worker';
import { waitAtMost } from '../concurrency/wait-at-most.ts';
import type { Database } from '../database/index.ts';
import { describeError, type Log } from '../log/index.ts';
import { watchForOrphans } from './orphaned-jobs.ts';
import { type Schedule, startSchedule } from './schedule.ts';
import { createSlots, feedSlots, type Slots } from './slots.ts';

/** What each job does, by name. A handler that throws is called again later, after pauses that grow. */
export type JobHandlers = Readonly<Record<string, (payload: never) => Promise<void>>>;

export type WorkerOptions = {
  database: Database;
  handlers: JobHandlers;
  schedule: Schedule;
  log: Log;
};

/** What runs the jobs of one process. */
export type Worker = {
  healthy(): boolean;
  /** Gives running jobs some seconds to end. Never throws. Another process runs the jobs that are left. */
  stop(): Promise<void>;
};

const restartAfterMs = 500;
const maxStopMs = 7000;

/**
 * Runs jobs in this process until it is stopped. It survives failures of the database.
 * @throws when the database cannot be reached now.
 */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  let current = await startRunner(options);
  const stopRequest = new AbortController();
  const supervised = superviseRunner(current, options, stopRequest.signal, (next) => {
    current = next;
  });
  return {
    healthy: () => current.healthy(),
    async stop() {
      stopRequest.abort();
      await waitAtMost(maxStopMs, supervised);
    },
  };
}

/** Starts a new runner whenever one has ended. Stops the last one when the worker is to stop. */
async function superviseRunner(
  first: JobRunner,
  options: WorkerOptions,
  stopSignal: AbortSignal,
  onReplaced: (next: JobRunner) => void,
): Promise<void> {
  const stopped = new Promise((resolve) => stopSignal.addEventListener('abort', resolve));
  let runner = first;
  while (!stopSignal.aborted) {
    await Promise.race([runner.ended, stopped]);
    await runner.stop();
    const next = await restartRunner(options, stopSignal);
    if (!next) return;
    runner = next;
    onReplaced(next);
  }
  await runner.stop();
}

/** @returns undefined if the worker is to stop. */
async function restartRunner(
  options: WorkerOptions,
  stopSignal: AbortSignal,
): Promise<JobRunner | undefined> {
  while (!stopSignal.aborted) {
    await delay(restartAfterMs, undefined, { ref: false });
    if (stopSignal.aborted) return undefined;
    try {
      return await startRunner(options);
    } catch (error) {
      options.log.warn({ error: describeError(error) }, 'the worker could not be restarted');
    }
  }
  return undefined;
}

/** One run of graphile-worker. It ends by itself when it could not record the result of a job. */
type JobRunner = {
  healthy(): boolean;
  readonly ended: Promise<void>;
  stop(): Promise<void>;
};

/**
 * Jobs that run at once, not counting those that read feeds: at most four of them call other systems, as slots.ts makes sure.
 */
const slotCount = 5;
/** How many jobs graphile-worker runs at once. It calls each of these a worker; here a worker is the whole process. */
const pickerCount = slotCount + feedSlots;
const maxRunnerStopMs = 5000;

/** @throws when the database cannot be reached. */
async function startRunner(options: WorkerOptions): Promise<JobRunner> {
  const { database, schedule, log } = options;
  const events = new EventEmitter() as WorkerEvents;
  let pool: WorkerPool | undefined;
  let isEnding = false;
  events.once('pool:create', ({ workerPool }) => {
    pool = workerPool;
  });
  events.once('pool:gracefulShutdown', () => {
    isEnding = true;
  });
  // A runner that is ending refuses to be woken.
  const pickAgain = () => {
    if (!isEnding) pool?.nudge(pickerCount);
  };
  const slots = createSlots(slotCount, pickAgain);
  events.on('worker:getJob:empty', ({ worker: picker }) => {
    if (slots.endPickWithoutJob() && !isEnding) picker.nudge();
  });
  events.on('worker:getJob:error', slots.endPickWithoutJob);

  const queueRunner = await runGraphileWorker(options, slots, events);
  let isRunning = true;
  const finished = queueRunner.promise.catch((error) =>
    log.error({ error: describeError(error) }, 'the worker stopped'),
  );
  const ended = Promise.race([finished, shutdownTimeout(events)]).then(() => {
    isRunning = false;
  });
  const stopRunner = () => waitAtMost(maxRunnerStopMs, queueRunner.stop());
  // The queue locks this runner's jobs in the name of its pool.
  const orphans = { worker: pool?.id, log, onReleased: pickAgain };
  const orphanWatch = await watchForOrphans(database, orphans).catch(async (error) => {
    await stopRunner();
    throw error;
  });
  const timetable = startSchedule(database.db, schedule, log);
  const stop = async () => {
    timetable.stop();
    await stopRunner();
    await orphanWatch.stop();
  };
  let stopped: Promise<void> | undefined;
  return {
    healthy: () => isRunning && orphanWatch.holdsLock(),
    ended,
    stop() {
      stopped ??= stop();
      return stopped;
    },
  };
}

async function runGraphileWorker(
  { database, handlers, log }: WorkerOptions,
  slots: Slots,
  events: WorkerEvents,
): Promise<Runner> {
  const { run } = await import('graphile-worker');
  return run({
    pgPool: database.pool,
    taskList: taskList(handlers, slots),
    forbiddenFlags: slots.forbiddenFlags,
    // Its own schedule goes by the machine's clock: see schedule.ts.
    parsedCronItems: [],
    noHandleSignals: true,
    events,
    logger: await createLogger(log),
    // Results are recorded in batches, even of one. Otherwise an unreachable database causes an unhandled rejection, which
    // ends the process, and a stop does not wait for the record.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    concurrency: pickerCount,
  });
}

/**
 * A runner that ends because the database became unreachable waits for all of its jobs, and runs nothing meanwhile. One of them may never
 * end, so we wait for a limited time. The next run releases the jobs that are still locked.
 */
function shutdownTimeout(events: WorkerEvents): Promise<void> {
  return new Promise((resolve) => {
    events.once('pool:gracefulShutdown', () => setTimeout(resolve, maxRunnerStopMs).unref());
  });
}

function taskList(handlers: JobHandlers, slots: Slots) {
  return Object.fromEntries(
    Object.entries(handlers).map(([name, handle]) => [
      name,
      (payload: unknown) => slots.run(payload, () => handle(payload as never)),
    ]),
  );
}

/** graphile-worker's own messages quote payloads and errors. Ours only say which job failed. */
async function createLogger(log: Log) {
  const { Logger } = await import('graphile-worker');
  return new Logger(() => (level, _message, meta) => {
    if (level !== 'error' && level !== 'warning') return;
    const { job, error, fatalError } = (meta ?? {}) as {
      job?: { task_identifier: string; id: string; attempts: number };
      error?: unknown;
      fatalError?: unknown;
    };
    log.warn(
      {
        job: job?.task_identifier,
        job_id: job?.id,
        attempts: job?.attempts,
        error: describeError(error ?? fatalError),
      },
      fatalError ? 'the worker could not record the results of its jobs' : 'worker: a job failed',
    );
  });
}
