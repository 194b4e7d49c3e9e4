import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const root = join(import.meta.dirname, '..');

type Ended = { code: number; stdout: string; stderr: string };

/** A program of ours (`src/main.ts`, or `src/cli/main.ts` with its words), run to its end. */
export async function runProgram(words: string[], env: NodeJS.ProcessEnv, input = ''): Promise<Ended> {
  const child = spawn(process.execPath, ['--preserve-symlinks', ...words], { cwd: root, env });
  child.stdin.end(input);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { code, stdout, stderr };
}
