import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { scaled } from './options.ts';

const run = promisify(execFile);

export type Load = {
  path: string;
  headers?: Record<string, string>;
  /** The body of a POST. */
  body?: string;
  /** A script of `lua/` that makes the requests, and its arguments. Needs wrk. */
  script?: { name: string; args: string[] };
  connections?: number;
  seconds?: number;
  /** Every answer must be a refusal. */
  refused?: boolean;
};
export type Rate = { perSecond: number; p99Ms: number; calls: number };

export const hasWrk = spawnSync('wrk', ['-v']).error === undefined;
const hasTaskset = spawnSync('taskset', ['-V']).error === undefined;

/** The tool that makes the load: wrk where it is installed, since it outruns any Node server on its one core. */
export const loadTool = hasWrk ? 'wrk' : 'autocannon';

/** A command line limited to one core, so that server and load do not share one. */
export function onCore(core: 0 | 1, command: string[]): [string, string[]] {
  const words = hasTaskset ? ['taskset', '-c', String(core), ...command] : command;
  return [words[0]!, words.slice(1)];
}

/** Calls an address as fast as it answers, from core 1. @throws if any answer is not as expected. */
export async function measure(baseUrl: string, load: Load): Promise<Rate> {
  return hasWrk ? withWrk(baseUrl, load) : withAutocannon(baseUrl, load);
}

async function withWrk(baseUrl: string, load: Load): Promise<Rate> {
  const { path, headers = {}, body, connections = 50, seconds = 5, refused = false } = load;
  const script = body === undefined ? load.script : { name: 'post', args: [body] };
  const flags = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const scripted = script ? ['-s', join(import.meta.dirname, 'lua', `${script.name}.lua`)] : [];
  const [command, args] = onCore(1, [
    ...['wrk', '-t1', `-c${connections}`, `-d${scaled(seconds)}s`, '--latency'],
    ...flags,
    ...scripted,
    baseUrl + path,
    ...(script ? ['--', ...script.args] : []),
  ]);
  const { stdout } = await run(command, args);
  const calls = Number(/(\d+) requests in/.exec(stdout)![1]);
  const refusals = Number(/Non-2xx or 3xx responses: (\d+)/.exec(stdout)?.[1] ?? 0);
  if (refusals !== (refused ? calls : 0))
    throw new Error(`some answers were not as they should be:\n${stdout}`);
  const [, amount = '0', unit = 'ms'] = /99%\s+([\d.]+)(us|ms|s)/.exec(stdout) ?? [];
  const milliseconds = { us: 0.001, ms: 1, s: 1000 }[unit] ?? 1;
  return {
    perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)![1]),
    p99Ms: Number(amount) * milliseconds,
    calls,
  };
}

async function withAutocannon(baseUrl: string, load: Load): Promise<Rate> {
  const { path, headers = {}, body, connections = 50, seconds = 5, refused = false, script } = load;
  if (script) throw new Error('this bench needs wrk');
  const flags = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}=${value}`]);
  const post = body === undefined ? [] : ['-m', 'POST', '-b', body];
  const [command, args] = onCore(1, [
    ...['npx', 'autocannon', '-j', '-c', String(connections), '-d', String(scaled(seconds))],
    ...flags,
    ...post,
    baseUrl + path,
  ]);
  const { stdout } = await run(command, args, { maxBuffer: 10_000_000 });
  const { requests, latency, non2xx } = JSON.parse(stdout);
  if (non2xx !== (refused ? requests.total : 0)) throw new Error('some answers were not as they should be');
  return { perSecond: requests.average, p99Ms: latency.p99, calls: requests.total };
}
