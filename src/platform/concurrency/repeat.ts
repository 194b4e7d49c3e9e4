import { describeError, type Log } from '../log/index.ts';

/**
 * Does something at intervals, one round at a time, until it is stopped; then once more. It is for work that each process does
 * for itself, where a job would add a row to the queue every time.
 */
export function repeat(
  log: Log,
  { everyMs, failureMessage }: { everyMs: number; failureMessage: string },
  round: () => Promise<void>,
): { stop(): Promise<void> } {
  let failing = false;
  let busy = false;
  const runRound = async () => {
    busy = true;
    try {
      await round();
      failing = false;
    } catch (error) {
      // Only the first failure in a row is logged.
      if (!failing) log.error({ error: describeError(error) }, failureMessage);
      failing = true;
    } finally {
      busy = false;
    }
  };
  let current = runRound();
  const timer = setInterval(() => {
    if (!busy) current = runRound();
  }, everyMs).unref();
  return {
    async stop() {
      clearInterval(timer);
      await current;
      await runRound();
    },
  };
}
