import { startSiteProcess } from '../test/site-process.ts';
import { onCore } from './load.ts';

/** A real site as a process of its own, kept to core 0, on fresh data that is removed afterwards. */
export function startBenchSite(env: Record<string, string> = {}) {
  return startSiteProcess(env, (command) => onCore(0, command));
}
