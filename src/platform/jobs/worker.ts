import { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Runner, WorkerEvents } from 'graphile-worker';
import type { Database } from '../database/index.ts';
import { describeError, type Log } from '../log/index.ts';
import { watchForOrphans } from './orphaned-jobs.ts';
import { type Schedule, startSchedule } from './schedule.ts';
import { createSlots, feedSlots, type Slots, waitAtMost } from './slots.ts';

/** What each job does, by name. A handler that throws is called again later, after pauses that grow. */
export type JobHandlers = Readonly<Record<string, (payload: never) => Promise<void>>>;

export type WorkerOptions = {
  database: Database;
  handlers: JobHandlers;
  schedule: Schedule;
  log: Log;
};

export type Worker = {
  healthy(): boolean;
  /** Gives running jobs some seconds to end. Never throws. Another process runs the jobs that are left. */
  stop(): Promise<void>;
};

const startAgainAfterMs = 500;
const maxStopMs = 7000;

/**
 * Runs jobs in this process until it is stopped. It survives failures of the database.
 * @throws when the database cannot be reached now.
 */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  let run = await startRun(options);
  const stopped = Promise.withResolvers<void>();
  let isWanted = true;
  const keepRunStarted = async () => {
    while (isWanted) {
      await Promise.race([run.ended, stopped.promise]);
      await run.stop();
      if (isWanted) run = (await startAgain(options, () => isWanted)) ?? run;
    }
    await run.stop();
  };
  const kept = keepRunStarted();
  return {
    healthy: () => run.healthy(),
    async stop() {
      isWanted = false;
      stopped.resolve();
      await waitAtMost(maxStopMs, kept);
    },
  };
}

async function startAgain(options: WorkerOptions, isWanted: () => boolean): Promise<Run | undefined> {
  while (isWanted()) {
    await delay(startAgainAfterMs, undefined, { ref: false });
    try {
      return await startRun(options);
    } catch (error) {
      options.log.warn({ error: describeError(error) }, 'the worker could not be started again');
    }
  }
  return undefined;
}

/** One run of graphile-worker. It ends by itself when it could not record the result of a job. */
type Run = {
  healthy(): boolean;
  readonly ended: Promise<void>;
  stop(): Promise<void>;
};

/**
 * Jobs that run at once, not counting those that read feeds: up to four that call other systems, and one that does not.
 */
const slotCount = 5;
const workerCount = slotCount + feedSlots;
const maxRunnerStopMs = 5000;

/** @throws when the database cannot be reached. */
async function startRun(options: WorkerOptions): Promise<Run> {
  const { database, schedule, log } = options;
  const events = new EventEmitter() as WorkerEvents;
  let name = '';
  let mayPick = true;
  let pickAgain = () => {};
  events.once('pool:create', ({ workerPool }) => {
    // The queue locks this run's jobs in this name.
    name = workerPool.id;
    pickAgain = () => mayPick && workerPool.nudge(workerCount);
  });
  const slots = createSlots(slotCount, () => pickAgain());
  events.on('worker:getJob:empty', ({ worker }) => {
    if (slots.handleEmptyPick() && mayPick) worker.nudge();
  });
  events.on('worker:getJob:error', slots.handleEmptyPick);
  // A worker that is ending refuses to be woken.
  events.once('pool:gracefulShutdown', () => {
    mayPick = false;
  });
  const runner = await startRunner(options, slots, events);
  let isRunning = true;
  const finished = runner.promise.catch((error) =>
    log.error({ error: describeError(error) }, 'the worker stopped'),
  );
  const ended = Promise.race([finished, shutdownTimeout(events)]).then(() => {
    isRunning = false;
  });
  const stopRunner = () => waitAtMost(maxRunnerStopMs, runner.stop());
  const orphanWatch = await watchForOrphans(database, {
    worker: name,
    log,
    onReleased: () => pickAgain(),
  }).catch(async (error) => {
    await stopRunner();
    throw error;
  });
  const following = startSchedule(database.db, schedule, log);
  const stop = async () => {
    following.stop();
    await stopRunner();
    await orphanWatch.stop();
  };
  let stopping: Promise<void> | undefined;
  return {
    healthy: () => isRunning && orphanWatch.holdsLock(),
    ended,
    stop() {
      stopping ??= stop();
      return stopping;
    },
  };
}

async function startRunner(
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
    // Results are recorded in batches, even of one. Otherwise a database that is away causes an unhandled rejection, which
    // ends the process, and a stop does not wait for the record.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    concurrency: workerCount,
  });
}

/**
 * A runner that ends because the database went away waits for all of its jobs, and runs nothing meanwhile. One of them may never
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
