import { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { WorkerEvents } from 'graphile-worker';
import type { Database } from '../database/index.ts';
import { describeError, type Log } from '../log/index.ts';
import { attend } from './attendance.ts';
import { keepSchedule } from './keep-schedule.ts';
import type { Schedule } from './run-due.ts';

/** What each job does, by name. A handler that throws is called again later, with growing pauses. */
export type JobHandlers = Readonly<Record<string, (payload: never) => Promise<void>>>;

export type WorkerOptions = {
  database: Database;
  handlers: JobHandlers;
  schedule: Schedule;
  log: Log;
  concurrency?: number;
};

/** One life of graphile-worker's runner, which ends itself when it could not write down that a job is done. */
export type Queue = {
  healthy(): boolean;
  readonly ended: Promise<void>;
  stop(): Promise<void>;
};

const patienceMs = 5000;

/** Begins one life of the queue. @throws when the database cannot be reached. */
export async function runQueue(options: WorkerOptions): Promise<Queue> {
  const { database, log } = options;
  const { run } = await import('graphile-worker');
  const events = new EventEmitter() as WorkerEvents;
  let name = '';
  events.once('pool:create', ({ workerPool }) => {
    // What `locked_by` of its jobs is set to.
    name = workerPool.id;
  });
  const runner = await run({
    pgPool: database.pool,
    taskList: taskList(options.handlers),
    // Its own cron goes by the machine's clock: see run-due.ts.
    parsedCronItems: [],
    noHandleSignals: true,
    events,
    logger: await quietLogger(log),
    // Written down in batches, even of one: only so does the queue hear of a database that is away. Otherwise it is
    // an unhandled rejection, which ends the process; and stopping would not wait for it.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    concurrency: options.concurrency ?? 4,
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

/** Waits for the end of something, whichever it is, but not for ever. */
export async function within(ms: number, end: Promise<unknown>): Promise<void> {
  await Promise.race([end.catch(() => undefined), delay(ms, undefined, { ref: false })]);
}

function taskList(handlers: JobHandlers) {
  return Object.fromEntries(
    Object.entries(handlers).map(([name, handle]) => [name, (payload: unknown) => handle(payload as never)]),
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
