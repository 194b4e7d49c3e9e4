import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onCore } from './load.ts';

const root = join(import.meta.dirname, '..', '..');
/** What `npm run onward` runs, after `node`. */
const { onward } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts;
const words: string[] = onward.split(' ').slice(1);

/** Runs a command of the command line on one core. @returns what it prints with --json, and how long it took in all. */
export async function runCommand<Answer>(
  env: NodeJS.ProcessEnv,
  core: 0 | 1,
  command: string[],
): Promise<{ answer: Answer; seconds: number }> {
  const [program, args] = onCore(core, [process.execPath, ...words, ...command, '--json']);
  const began = performance.now();
  const { stdout } = await promisify(execFile)(program, args, { cwd: root, env, maxBuffer: 10_000_000 });
  return { answer: JSON.parse(stdout), seconds: (performance.now() - began) / 1000 };
}
