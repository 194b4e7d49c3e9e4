import { EventEmitter } from 'node:events';
import type { WorkerEvents } from 'graphile-worker';
import type { Database } from '../database/index.ts';
import { describeError, type Log } from '../log/index.ts';
import { attend } from './attendance.ts';
import { keepSchedule } from './keep-schedule.ts';
import { createLanes, type Lanes } from './lanes.ts';
import type { Schedule } from './run-due.ts';
import { within } from './within.ts';

/** What each job does, by name. A handler that throws is called again later, with growing pauses. */
export type JobHandlers = Readonly<Record<string, (payload: never) => Promise<void>>>;

export type WorkerOptions = {
  database: Database;
  handlers: JobHandlers;
  schedule: Schedule;
  log: Log;
};

/** One life of graphile-worker's runner, which ends itself when it could not write down that a job is done. */
export type Queue = {
  healthy(): boolean;
  readonly ended: Promise<void>;
  stop(): Promise<void>;
};

/** What a process does at once: four that speak to others, and one that does not wait for them. */
const places = 5;
const patienceMs = 5000;

/** Begins one life of the queue. @throws when the database cannot be reached. */
export async function runQueue(options: WorkerOptions): Promise<Queue> {
  const { database, log } = options;
  const { run } = await import('graphile-worker');
  const events = new EventEmitter() as WorkerEvents;
  let name = '';
  let goesOn = true;
  let look = () => {};
  events.once('pool:create', ({ workerPool }) => {
    // What `locked_by` of its jobs is set to.
    name = workerPool.id;
    look = () => goesOn && workerPool.nudge(places);
  });
  const lanes = createLanes(places, () => look());
  events.on('worker:getJob:empty', ({ worker }) => {
    if (lanes.none() && goesOn) worker.nudge();
  });
  events.on('worker:getJob:error', lanes.none);
  // A worker that is to end refuses to be woken.
  events.once('pool:gracefulShutdown', () => {
    goesOn = false;
  });
  const runner = await run({
    pgPool: database.pool,
    taskList: taskList(options.handlers, lanes),
    forbiddenFlags: lanes.forbidden,
    // Its own cron goes by the machine's clock: see run-due.ts.
    parsedCronItems: [],
    noHandleSignals: true,
    events,
    logger: await quietLogger(log),
    // Written down in batches, even of one: only so does the queue hear of a database that is away. Otherwise it is
    // an unhandled rejection, which ends the process; and stopping would not wait for it.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    concurrency: places,
  });
  let running = true;
  const finished = runner.promise.catch((error) =>
    log.error({ error: describeError(error) }, 'the worker stopped'),
  );
  const ended = Promise.race([finished, givenUp(events)]).then(() => {
    running = false;
  });
  const stopRunner = () => within(patienceMs, runner.stop());
  const attendance = await attend(database, name, log).catch(async (error) => {
    await stopRunner();
    throw error;
  });
  const schedule = keepSchedule(database.db, options.schedule, log);
  const stop = async () => {
    schedule.stop();
    await stopRunner();
    await attendance.leave();
  };
  let stopping: Promise<void> | undefined;
  return {
    healthy: () => running && attendance.healthy(),
    ended,
    stop() {
      stopping ??= stop();
      return stopping;
    },
  };
}

/**
 * A runner that ends itself, for a database that went away, waits for all its jobs, of which one may never learn what
 * became of it: so long, nobody would work off anything. Those that it leaves locked are freed by its successor.
 */
function givenUp(events: WorkerEvents): Promise<void> {
  return new Promise((resolve) => {
    events.once('pool:gracefulShutdown', () => setTimeout(resolve, patienceMs).unref());
  });
}

function taskList(handlers: JobHandlers, lanes: Lanes) {
  return Object.fromEntries(
    Object.entries(handlers).map(([name, handle]) => [
      name,
      (payload: unknown) => lanes.during(payload, () => handle(payload as never)),
    ]),
  );
}

/** Graphile's own messages quote payloads and error messages; ours say that a job failed, and which. */
async function quietLogger(log: Log) {
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
      fatalError ? 'the worker could not write down what became of its jobs' : 'worker',
    );
  });
}
