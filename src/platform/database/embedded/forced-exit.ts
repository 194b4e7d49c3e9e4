import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Calls `end` when this process exits, unless the returned function was called first: a site that does not stop in time is forced
 * to exit. `end` cannot wait for anything. A process that is killed calls nothing; the next one then joins its PostgreSQL.
 */
export function onForcedExit(end: () => void): () => void {
  process.once('exit', end);
  return () => void process.off('exit', end);
}

/**
 * Asks a PostgreSQL to stop when its last connection has ended: those of this process end with it, and a command that is still
 * at work finishes first. Does nothing if the PostgreSQL has stopped.
 */
export function askToStop(cluster: string, pid: number): void {
  // On Windows this would end the server without a flush.
  if (process.platform === 'win32') return;
  try {
    // Another program may have the number by now.
    const [owner] = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
    if (Number(owner) === pid) process.kill(pid, 'SIGTERM');
  } catch {
    // It has stopped.
  }
}
