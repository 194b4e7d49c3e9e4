import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSiteProcess } from '../test/site-process.ts';
import { onCore } from './load.ts';

/** The log of the site that is measured: a file, so that no other process has to read it meanwhile. */
const logFile = join(tmpdir(), `onward-bench-${process.pid}.log`);

/** A real site as a process of its own, kept to core 0, on fresh data that is removed afterwards. */
export function startBenchSite(env: Record<string, string> = {}) {
  const toFile = (command: string[]) => ['sh', '-c', 'exec "$@" 2>>"$0"', logFile, ...command];
  return startSiteProcess(env, (command) => onCore(0, toFile(command)));
}
