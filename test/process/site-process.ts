import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { until } from '../app/until.ts';
import { quickFolder } from '../database/memory-folder.ts';

const root = join(import.meta.dirname, '..', '..');
/** What `npm start` runs, after `node`. */
const startLine: string = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts.start;
const startWords = startLine.slice(startLine.indexOf('node ') + 5).split(' ');

/** Puts a command into the words that keep it to one core, for measuring. */
export type Wrap = (command: string[]) => [string, string[]];

type SampleLogin = { email: string; password: string };

export type SiteProcess = {
  readonly baseUrl: string;
  readonly dataDir: string;
  readonly env: NodeJS.ProcessEnv;
  readonly process: ChildProcess;
  readonly logins: Readonly<Record<'operator' | 'referrer' | 'provider', SampleLogin>>;
  output(): { stdout: string; stderr: string };
  /** Ends it as an operator would. @returns its exit code. */
  stop(): Promise<number | null>;
  /** Ends it as a power cut would. */
  kill(): Promise<void>;
  /** Starts it again on the same data. */
  restart(): Promise<SiteProcess>;
  /** Removes its database and nothing else, while it does not run. */
  loseDatabase(): Promise<void>;
  /** Ends it and removes its data. */
  remove(): Promise<void>;
};

/** What a first start left, whose site has ended: a data directory, and who can sign in. */
type FirstStart = { folder: string; logins: SiteProcess['logins'] };

/**
 * A real site: `node src/main.ts` as a process of its own on a fresh data directory, with its own PostgreSQL; or, in the
 * second pass, on a fresh database of the PostgreSQL that TEST_DATABASE_URL names.
 * With a `FirstStart`, it continues with a copy of that data directory.
 */
export async function startSiteProcess(
  env: Record<string, string> = {},
  begun?: FirstStart,
  wrap: Wrap = ([command, ...args]) => [command!, args],
): Promise<SiteProcess> {
  // Benches measure what a disk takes, too.
  const dataDir = await (process.env.VITEST
    ? quickFolder('onward-site-')
    : mkdtemp(join(tmpdir(), 'onward-site-')));
  if (begun) await promisify(execFile)('cp', ['-a', `${begun.folder}/.`, dataDir]);
  const outside = process.env.TEST_DATABASE_URL
    ? await freshDatabase(process.env.TEST_DATABASE_URL)
    : undefined;
  const port = String(await freePort());
  const all = {
    ONWARD_DATA_DIR: dataDir,
    ONWARD_PORT: port,
    ...(outside && { ONWARD_DATABASE_URL: outside.url }),
    ...env,
  };
  const storage: Storage = {
    async lose() {
      await rm(join(dataDir, 'postgres'), { recursive: true, force: true });
      await outside?.drop();
      await outside?.create();
    },
    async remove() {
      await rm(dataDir, { recursive: true, force: true });
      await outside?.drop();
    },
  };
  return launch({ ...environment(), ...all }, dataDir, storage, wrap, begun?.logins);
}

/** The environment without settings of Onward that somebody may have exported. */
export function environment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(ONWARD|TEST|VITEST|NODE)_/.test(name)),
  );
}

type Storage = { lose(): Promise<void>; remove(): Promise<void> };

async function launch(
  env: NodeJS.ProcessEnv,
  dataDir: string,
  storage: Storage,
  wrap: Wrap,
  known?: SiteProcess['logins'],
): Promise<SiteProcess> {
  const [command, args] = wrap([process.execPath, ...startWords]);
  const child = spawn(command, args, {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => (stdout += chunk));
  child.stderr.on('data', (chunk) => (stderr += chunk));
  await until(() => stdout.includes('Onward is ready') || child.exitCode !== null, 180_000);
  if (child.exitCode !== null) throw new Error(`the site did not start: ${stderr}`);
  const firstStart = known === undefined && env.ONWARD_SAMPLE !== 'false';
  if (firstStart) await until(() => stdout.includes('provider@example.org'));
  const logins = known ?? readLogins(stdout);
  const ended = once(child, 'exit');
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    await ended;
    return child.exitCode;
  };
  const site: SiteProcess = {
    baseUrl: /Onward is ready on (\S+)/.exec(stdout)![1]!,
    dataDir,
    env,
    process: child,
    logins,
    output: () => ({ stdout, stderr }),
    stop: () => end('SIGTERM'),
    kill: async () => void (await end('SIGKILL')),
    restart: () => launch(env, dataDir, storage, wrap, logins),
    loseDatabase: () => storage.lose(),
    async remove() {
      await end('SIGTERM');
      await storage.remove();
    },
  };
  return site;
}

function readLogins(stdout: string): SiteProcess['logins'] {
  const login = (email: string) => ({
    email,
    password: new RegExp(`${email}\\s+(\\S+)`).exec(stdout)?.[1] ?? '',
  });
  return {
    operator: login('operator@example.org'),
    referrer: login('referrer@example.org'),
    provider: login('provider@example.org'),
  };
}

/** Below those that the system gives out by itself, and from a place of this process's own. */
const ports = { from: 12_000, to: 32_000 };
let nextPort = ports.from + ((process.pid * 61) % (ports.to - ports.from));

/**
 * A port on which nothing listens, outside the range from which the system gives out ports. So no other program gets it
 * before the site does, nor while the site starts again.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    nextPort = nextPort + 1 < ports.to ? nextPort + 1 : ports.from;
    if (await isFree(nextPort)) return nextPort;
  }
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

async function freshDatabase(server: string) {
  const name = `onward_site_${randomBytes(6).toString('hex')}`;
  const url = new URL(server);
  url.pathname = `/${name}`;
  const ask = async (statement: string) => {
    const client = new pg.Client({ connectionString: server });
    await client.connect();
    await client.query(statement);
    await client.end();
  };
  const create = () => ask(`create database ${name}`);
  await create();
  return { url: url.href, create, drop: () => ask(`drop database if exists ${name} with (force)`) };
}
