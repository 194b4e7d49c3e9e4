import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unusable } from './data-directory.ts';
import { errorCode } from './explain-failure.ts';
import { isServerOf } from './process-identity.ts';

export type PostmasterFile = {
  pid: number;
  port: number;
  /** Empty when PostgreSQL listens on a socket in its own directory. */
  listenAddress: string;
  /** Undefined while PostgreSQL is still writing the file. */
  status: 'starting' | 'stopping' | 'ready' | 'standby' | undefined;
};

/**
 * What a running PostgreSQL says of itself in `postmaster.pid`, or undefined where there is none.
 * Line 1 is its process, 4 its port, 6 its TCP address, 8 its state
 * (https://www.postgresql.org/docs/18/storage-file-layout.html).
 */
export async function readPostmasterFile(cluster: string): Promise<PostmasterFile | undefined> {
  const path = join(cluster, 'postmaster.pid');
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw unusable(path, error);
  });
  if (text === undefined) return undefined;
  const lines = text.split('\n').map((line) => line.trim());
  // A single-user PostgreSQL writes its number as a negative one.
  const pid = Math.abs(Number(lines[0]));
  if (!Number.isInteger(pid) || pid === 0) return undefined;
  return { pid, port: Number(lines[3]), listenAddress: lines[5] ?? '', status: statusOf(lines[7]) };
}

/** Whether a PostgreSQL runs on this cluster, in whatever state. */
export async function hasServer(cluster: string): Promise<boolean> {
  const file = await readPostmasterFile(cluster);
  return file !== undefined && isServerOf(file.pid, cluster);
}

function statusOf(line: string | undefined): PostmasterFile['status'] {
  if (line === 'starting' || line === 'stopping' || line === 'ready' || line === 'standby') return line;
  return undefined;
}
