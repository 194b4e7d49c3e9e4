import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../app/until.ts';
import type { SiteProcess } from './site-process.ts';

/** The number of the site's own PostgreSQL; undefined where none is there. */
export function serverOf({ dataDir }: SiteProcess): number | undefined {
  const file = join(dataDir, 'postgres', 'postmaster.pid');
  return existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : undefined;
}

/** Kills the site and its PostgreSQL with all its processes in one moment, as a power cut does. */
export async function killWithDatabase(site: SiteProcess): Promise<void> {
  const server = serverOf(site);
  const all = server === undefined ? [] : [server, ...childrenOf(server)];
  const killed = site.kill();
  for (const pid of all) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended by itself between the two lines.
    }
  }
  await killed;
  await until(() => all.every((pid) => parentOf(pid) === undefined));
}

export function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => parentOf(pid) === parent);
}

/** Undefined where the process has ended. */
function parentOf(pid: number): number | undefined {
  try {
    const [, state, parent] = /\) (\S) (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return state === 'Z' ? undefined : Number(parent);
  } catch {
    return undefined;
  }
}
