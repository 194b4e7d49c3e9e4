import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

export type Load = { path: string; headers?: Record<string, string>; connections?: number; seconds?: number };
export type Rate = { perSecond: number; p99Ms: number };

const hasWrk = spawnSync('wrk', ['-v']).error === undefined;
const hasTaskset = spawnSync('taskset', ['-V']).error === undefined;

/** The tool that makes the load: wrk where it is installed, since it outruns any Node server on its one core. */
export const loadTool = hasWrk ? 'wrk' : 'autocannon';

/** A command line that keeps to one core, so that server and load do not take turns on the same one. */
export function onCore(core: 0 | 1, command: string[]): [string, string[]] {
  const words = hasTaskset ? ['taskset', '-c', String(core), ...command] : command;
  return [words[0]!, words.slice(1)];
}

/** Calls an address as fast as it answers, from core 1. @throws when any answer is not a success. */
export async function measure(
  baseUrl: string,
  { path, headers = {}, connections = 50, seconds = 5 }: Load,
): Promise<Rate> {
  return hasWrk
    ? withWrk(baseUrl + path, headers, connections, seconds)
    : withAutocannon(baseUrl + path, headers, connections, seconds);
}

async function withWrk(
  url: string,
  headers: Record<string, string>,
  connections: number,
  seconds: number,
): Promise<Rate> {
  const flags = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const [command, args] = onCore(1, [
    'wrk',
    '-t1',
    `-c${connections}`,
    `-d${seconds}s`,
    '--latency',
    ...flags,
    url,
  ]);
  const { stdout } = await run(command, args);
  if (/Non-2xx/.test(stdout)) throw new Error(`some answers were not a success:\n${stdout}`);
  const [, amount = '0', unit = 'ms'] = /99%\s+([\d.]+)(us|ms|s)/.exec(stdout) ?? [];
  const milliseconds = { us: 0.001, ms: 1, s: 1000 }[unit] ?? 1;
  return {
    perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)![1]),
    p99Ms: Number(amount) * milliseconds,
  };
}

async function withAutocannon(
  url: string,
  headers: Record<string, string>,
  connections: number,
  seconds: number,
): Promise<Rate> {
  const flags = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}=${value}`]);
  const [command, args] = onCore(1, [
    'npx',
    'autocannon',
    '-j',
    '-c',
    String(connections),
    '-d',
    String(seconds),
    ...flags,
    url,
  ]);
  const { stdout } = await run(command, args, { maxBuffer: 10_000_000 });
  const result = JSON.parse(stdout);
  if (result.non2xx > 0) throw new Error('some answers were not a success');
  return { perSecond: result.requests.average, p99Ms: result.latency.p99 };
}
