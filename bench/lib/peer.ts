import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { freePort } from '../../test/process/site-process.ts';
import { onCore } from './load.ts';

export type Peer = {
  baseUrl: string;
  /** What it printed when it was ready. */
  readyText: string;
  stop(): void;
};

/** A server to compare ours with: a program of `bench/peers/` on core 0, which prints `ready` once it serves. */
export async function startPeer(file: string, ...rest: string[]): Promise<Peer> {
  const port = await freePort();
  const [command, args] = onCore(0, [process.execPath, `bench/peers/${file}`, String(port), ...rest]);
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  for await (const line of createInterface(child.stdout)) {
    const [ready, readyText = ''] = line.split(' ');
    if (ready !== 'ready') continue;
    child.stdout.resume();
    return { baseUrl: `http://127.0.0.1:${port}`, readyText, stop: () => void child.kill() };
  }
  throw new Error(`${file} did not start`);
}

/** The ceiling: an empty Fastify handler, warm. */
export const startCeiling = () => startPeer('empty-handler.ts');
