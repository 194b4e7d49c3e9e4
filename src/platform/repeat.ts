import { describeError, type Log } from './log/index.ts';

/**
 * Does something again and again, one round at a time, until it is stopped; then once more. It is for what each process
 * of a site looks after by itself: a job of the queue would be a row for each time.
 */
export function repeat(
  log: Log,
  { everyMs, whenItFails }: { everyMs: number; whenItFails: string },
  round: () => Promise<void>,
): { stop(): Promise<void> } {
  let failing = false;
  let busy = false;
  const turn = async () => {
    busy = true;
    try {
      await round();
      failing = false;
    } catch (error) {
      // Once, not every time for as long as it lasts.
      if (!failing) log.error({ error: describeError(error) }, whenItFails);
      failing = true;
    } finally {
      busy = false;
    }
  };
  let current = turn();
  const timer = setInterval(() => {
    if (!busy) current = turn();
  }, everyMs).unref();
  return {
    async stop() {
      clearInterval(timer);
      await current;
      await turn();
    },
  };
}
