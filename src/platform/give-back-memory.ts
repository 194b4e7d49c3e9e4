/** More than a site has to do that nobody asks for anything (0.01), and less than with ten searches a second (0.04). */
const idleShare = 0.03;
const idleMs = 1000;

let waiting: NodeJS.Timeout | undefined;

/**
 * Gives memory back to the system after something that took much of it: V8 keeps for later whatever it has claimed, and
 * collects nothing while nobody asks for more. For a quarter of a second, with fifty to a hundred megabytes in use, nothing
 * else is done, so it waits for a second in which the process had next to nothing to do. Only where the process was started
 * with `--expose-gc`, as sites are.
 */
export function giveBackMemoryWhenIdle(): void {
  clearTimeout(waiting);
  const before = performance.eventLoopUtilization();
  waiting = setTimeout(() => {
    if (performance.eventLoopUtilization(before).utilization >= idleShare) giveBackMemoryWhenIdle();
    else globalThis.gc?.({ type: 'major', flavor: 'last-resort', execution: 'async' });
  }, idleMs).unref();
}
