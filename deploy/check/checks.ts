import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** The folder `deploy`, whose files are checked. */
export const deploy = dirname(import.meta.dirname);
export const root = dirname(deploy);
/** A folder of this run. */
export const scratch = await mkdtemp(join(tmpdir(), 'onward-deploy-'));
export const siteName = 'referrals.example.org';

const skipped: string[] = [];
const failed: string[] = [];
const children: ChildProcess[] = [];

const write = (line: string) => process.stdout.write(`${line}\n`);
export const read = (file: string) => readFile(join(deploy, file), 'utf8');

/** One check, if the machine has its tools. The body fails by throwing, and may return what it found. */
export async function check(
  title: string,
  tools: string[],
  body: () => Promise<string | undefined> | string | undefined,
): Promise<void> {
  const missing = tools.filter((tool) => !isInstalled(tool));
  if (missing.length > 0) return skip(title, `${missing.join(', ')} is not installed`);
  try {
    const found = await body();
    write(`ok       ${title}${found ? `: ${found}` : ''}`);
  } catch (error) {
    failed.push(title);
    write(`FAILED   ${title}\n${(error as Error).message.replace(/^/gm, '         ')}`);
  }
}

export function skip(title: string, reason: string): void {
  skipped.push(title);
  write(`skipped  ${title}: ${reason}`);
}

/** @throws Error with the message, unless the condition holds. */
export function requireThat(condition: boolean, message: string): void {
  if (!condition) throw new Error(message);
}

/** Ends what the checks started, and prints the totals. @returns the exit status. */
export async function finish(): Promise<0 | 1> {
  for (const child of children) if (child.exitCode === null) child.kill('SIGKILL');
  await rm(scratch, { recursive: true, force: true });
  const reason = skipped.length > 0 ? ' because a tool is missing' : '';
  write(`\n${failed.length} failed, ${skipped.length} skipped${reason}.`);
  return failed.length > 0 ? 1 : 0;
}

export const isInstalled = (tool: string) => spawnSync('sh', ['-c', 'command -v "$0"', tool]).status === 0;

type ProgramOptions = { cwd?: string; env?: NodeJS.ProcessEnv };

/** Runs a program to its end. @returns its output. @throws Error with that, if it failed. */
export function outputOf(command: string, args: string[], options: ProgramOptions = {}) {
  const ended = spawnSync(command, args, { ...options, encoding: 'utf8', maxBuffer: 2 ** 26 });
  const { status, stdout, stderr, error } = ended;
  if (status !== 0)
    throw new Error(`${command} ${args.join(' ')}\n${error?.message ?? ''}${stdout}${stderr}`.slice(-4000));
  return { stdout, all: stdout + stderr };
}

/** Runs a program to its end. @returns its standard output. @throws Error with its output, if it failed. */
export const run = (...call: Parameters<typeof outputOf>): string => outputOf(...call).stdout;

/** Starts a program that runs until it is stopped, or until the end of all checks. */
export function start(command: string, args: string[], options: ProgramOptions = {}) {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  child.on('error', (error) => (output += error.message));
  return {
    output: () => output,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM');
        await once(child, 'exit');
      }
      return child.exitCode;
    },
  };
}

/** Waits until a condition holds. A condition that throws is tried again. @throws Error with what it threw last. */
export async function until(
  what: string | (() => string),
  condition: () => Promise<boolean> | boolean,
  timeoutMs = 60_000,
): Promise<void> {
  let lastError = '';
  for (const end = Date.now() + timeoutMs; Date.now() < end; await sleep(100))
    try {
      if (await condition()) return;
      lastError = '';
    } catch (error) {
      lastError = `\n${(error as Error).message}`;
    }
  const described = typeof what === 'string' ? what : what();
  throw new Error(`not within ${timeoutMs / 1000} seconds: ${described}${lastError}`);
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
