import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { childrenOf, serverOf } from '../../test/process/kill-site.ts';
import type { SiteProcess } from '../../test/process/site-process.ts';

const secondsAtRest = 6;
const maxCpuPercentAtRest = 15;

/**
 * Waits until a site and its own PostgreSQL are at rest after many changes: the search index catches up, tables are
 * analysed and vacuumed.
 */
export async function untilAtRest(site: SiteProcess): Promise<void> {
  let before = cpuHundredths(site);
  for (let atRest = 0; atRest < secondsAtRest; ) {
    await delay(1000);
    const now = cpuHundredths(site);
    // Hundredths of a second of CPU time in one second: the CPU use in per cent.
    atRest = now - before <= maxCpuPercentAtRest ? atRest + 1 : 0;
    before = now;
  }
}

function cpuHundredths(site: SiteProcess): number {
  const server = serverOf(site)!;
  const all = [site.process.pid!, server, ...childrenOf(server)];
  return all.reduce((sum, pid) => sum + cpuHundredthsOf(pid), 0);
}

/** Includes its children that have ended. @see proc(5): utime, stime, cutime, cstime */
function cpuHundredthsOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  } catch {
    return 0;
  }
}
