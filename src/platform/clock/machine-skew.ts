import type { Clock } from './index.ts';

/** By how many milliseconds this machine's clock is ahead of the site's, which is the database's. */
export function machineSkewMs(clock: Clock): number {
  return Date.now() - clock.now().getTime();
}
