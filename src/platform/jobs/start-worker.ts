import { setTimeout as delay } from 'node:timers/promises';
import { describeError } from '../log/index.ts';
import { type Queue, runQueue, type WorkerOptions } from './run-queue.ts';
import { within } from './within.ts';

export type Worker = {
  healthy(): boolean;
  /** Lets the jobs that run come to their end, for a few seconds. Never throws: those left are run by another. */
  stop(): Promise<void>;
};

const startAgainAfterMs = 500;
const patienceMs = 7000;

/**
 * Starts working off jobs in this process, and goes on until it is stopped, whatever happens to the database.
 * @throws when the database cannot be reached now.
 */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  let queue = await runQueue(options);
  const stopped = Promise.withResolvers<void>();
  let running = true;
  const keepRunning = async () => {
    while (running) {
      await Promise.race([queue.ended, stopped.promise]);
      await queue.stop();
      if (running) queue = (await startAgain(options, () => running)) ?? queue;
    }
    await queue.stop();
  };
  const kept = keepRunning();
  return {
    healthy: () => queue.healthy(),
    async stop() {
      running = false;
      stopped.resolve();
      await within(patienceMs, kept);
    },
  };
}

async function startAgain(options: WorkerOptions, wanted: () => boolean): Promise<Queue | undefined> {
  while (wanted()) {
    await delay(startAgainAfterMs, undefined, { ref: false });
    try {
      return await runQueue(options);
    } catch (error) {
      options.log.warn({ error: describeError(error) }, 'the worker could not be started again');
    }
  }
  return undefined;
}
