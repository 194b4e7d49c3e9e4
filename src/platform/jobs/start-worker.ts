import { EventEmitter } from 'node:events';
import type { WorkerEvents } from 'graphile-worker';
import type { Database } from '../database/index.ts';
import { newId } from '../ids/index.ts';
import { describeError, type Log } from '../log/index.ts';
import { type Attendance, attend } from './attendance.ts';

/** What each job does, by name. A handler that throws is called again later, with growing pauses. */
export type JobHandlers = Readonly<Record<string, (payload: never) => Promise<void>>>;

export type Worker = { healthy(): boolean; stop(): Promise<void> };

export type WorkerOptions = {
  database: Database;
  handlers: JobHandlers;
  /** Cron lines (https://worker.graphile.org/docs/cron) for what happens by the clock. */
  crontab: string;
  log: Log;
  concurrency?: number;
};

/** Starts working off jobs in this process. Jobs that a killed process left locked are freed first. */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const { database, log } = options;
  const { run, parseCrontab } = await import('graphile-worker');
  const attendance = await attend(database, newId(), log);
  const runner = await run({
    pgPool: database.pool,
    taskList: taskList(options.handlers),
    parsedCronItems: parseCrontab(options.crontab),
    concurrency: options.concurrency ?? 4,
    noHandleSignals: true,
    events: namingWorkers(attendance),
    logger: await quietLogger(log),
  });
  let healthy = true;
  runner.promise
    .catch((error) => log.error({ error: describeError(error) }, 'the worker stopped'))
    .finally(() => {
      healthy = false;
    });
  return {
    healthy: () => healthy && attendance.healthy(),
    async stop() {
      await runner.stop();
      await attendance.leave();
    },
  };
}

function taskList(handlers: JobHandlers) {
  return Object.fromEntries(
    Object.entries(handlers).map(([name, handle]) => [name, (payload: unknown) => handle(payload as never)]),
  );
}

function namingWorkers(attendance: Attendance): WorkerEvents {
  const events = new EventEmitter() as WorkerEvents;
  events.on('worker:create', ({ worker }) => attendance.name(worker.workerId));
  return events;
}

/** Graphile's own messages quote payloads and error messages; ours say that a job failed, and which. */
async function quietLogger(log: Log) {
  const { Logger } = await import('graphile-worker');
  return new Logger(() => (level, _message, meta) => {
    if (level !== 'error' && level !== 'warning') return;
    const { job, error } = (meta ?? {}) as {
      job?: { task_identifier: string; id: string; attempts: number };
      error?: unknown;
    };
    log.warn(
      { job: job?.task_identifier, job_id: job?.id, attempts: job?.attempts, error: describeError(error) },
      'worker',
    );
  });
}
