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
  let isFailing = false;
  let isBusy = false;
  const runRound = async () => {
    isBusy = true;
    try {
      await round();
      isFailing = false;
    } catch (error) {
      // Only the first failure in a row is logged.
      if (!isFailing) log.error({ error: describeError(error) }, failureMessage);
      isFailing = true;
    } finally {
      isBusy = false;
    }
  };
  let current = runRound();
  const timer = setInterval(() => {
    if (!isBusy) current = runRound();
  }, everyMs).unref();
  return {
    async stop() {
      clearInterval(timer);
      await current;
      await runRound();
    },
  };
}
