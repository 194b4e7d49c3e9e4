import type { Db } from '../database/index.ts';
import { describeError, type Log } from '../log/index.ts';
import { runDue, type Schedule } from './run-due.ts';

const lookEveryMs = 5000;

/** Looks, as long as the worker runs, whether the time of a job has come. */
export function keepSchedule(db: Db, schedule: Schedule, log: Log): { stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const look = async () => {
    await runDue(db, schedule).catch((error) => log.warn({ error: describeError(error) }, 'the schedule'));
    if (!stopped) timer = setTimeout(() => void look(), lookEveryMs).unref();
  };
  if (schedule.length > 0) void look();
  return {
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
