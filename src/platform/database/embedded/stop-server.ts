import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { findBinaries } from './find-binaries.ts';
import { isServerOf } from './process-identity.ts';

const run = promisify(execFile);
const POLL_MS = 5;
const CLEAN_STOP_MS = 8_000;
const IMMEDIATE_STOP_MS = 5_000;

/**
 * Stops PostgreSQL and waits until it is gone: cleanly (sessions are cut, everything is flushed), or, if that takes
 * longer than the site's ten seconds for its own end allow, at once, which is safe and costs a recovery at the next start.
 */
export async function stopServer(cluster: string, pid: number): Promise<void> {
  if (process.platform === 'win32') return stopOnWindows(cluster);
  if (await signalled(cluster, pid, 'SIGINT', CLEAN_STOP_MS)) return;
  await signalled(cluster, pid, 'SIGQUIT', IMMEDIATE_STOP_MS);
}

/** Signals only while the number is still PostgreSQL's own, never a stranger that was given it. */
async function signalled(
  cluster: string,
  pid: number,
  signal: NodeJS.Signals,
  waitMs: number,
): Promise<boolean> {
  const giveUpAt = performance.now() + waitMs;
  if (!(await isServerOf(pid, cluster))) return true;
  try {
    process.kill(pid, signal);
  } catch {
    // It ended between the two lines, which the loop sees.
  }
  while (performance.now() < giveUpAt) {
    if (!(await isServerOf(pid, cluster))) return true;
    await delay(POLL_MS);
  }
  return false;
}

/** There are no signals on Windows: process.kill would end the server without a flush. */
async function stopOnWindows(cluster: string): Promise<void> {
  const wait = String(CLEAN_STOP_MS / 1000);
  await run(findBinaries().pgCtl, ['stop', '-D', cluster, '-m', 'fast', '-t', wait]).catch(() => undefined);
}
