import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSiteProcess } from '../../test/process/site-process.ts';
import { onCore } from './load.ts';

/**
 * The log of the measured site. It is a file, so that no other process has to read it during the measurement. It is
 * deleted with the bench.
 */
const logFile = join(tmpdir(), `onward-bench-${process.pid}.log`);
process.on('exit', () => rmSync(logFile, { force: true }));

/** A real site as a process of its own, limited to one core, on fresh data that is removed afterwards. */
export function startBenchSite(env: Record<string, string> = {}, core: 0 | 1 = 0) {
  const toFile = (command: string[]) => ['sh', '-c', 'exec "$@" 2>>"$0"', logFile, ...command];
  return startSiteProcess(env, undefined, (command) => onCore(core, toFile(command)));
}
