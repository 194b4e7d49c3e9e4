import { readFile } from 'node:fs/promises';

/** The memory that a process uses now (its resident set), in megabytes. */
export async function memoryMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => 'VmRSS: 0');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1024);
}
