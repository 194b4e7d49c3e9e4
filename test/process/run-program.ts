import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const root = join(import.meta.dirname, '..', '..');

export type ProgramResult = { code: number; stdout: string; stderr: string };
/** A command, the settings that it finds, and what comes to it on standard input. */
export type CommandRequest = { words: string[]; env: NodeJS.ProcessEnv; input: string };

/** A program of ours (`src/main.ts`, or `src/cli/main.ts` with its words), run to its end. */
export async function runProgram(
  words: string[],
  env: NodeJS.ProcessEnv,
  input = '',
): Promise<ProgramResult> {
  const child = spawn(process.execPath, words, { cwd: root, env });
  child.stdin.end(input);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { code, stdout, stderr };
}

/**
 * A command at a terminal of its own (`script`, which every Debian has), where each line is typed when the program asks for
 * it with a colon. @returns what the terminal showed.
 */
export async function runAtTerminal(
  words: string[],
  env: NodeJS.ProcessEnv,
  lines: readonly string[],
): Promise<string> {
  const command = [process.execPath, 'src/cli/main.ts', ...words].map((word) => `'${word}'`);
  const child = spawn('script', ['-qec', command.join(' '), '/dev/null'], { cwd: root, env });
  const toType = [...lines];
  let shown = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    shown += piece;
    if (/: $/.test(piece) && toType.length > 0) child.stdin.write(`${toType.shift()}\r`);
  });
  await once(child, 'close');
  return shown;
}

let host: ChildProcess | undefined;
let last: Promise<unknown> = Promise.resolve();

/**
 * A command of the command line, in a process that has run others before it. `command-line.program.test.ts` checks that each kind of
 * command also ends in a process of its own.
 */
export function runCommand(words: string[], env: NodeJS.ProcessEnv, input = ''): Promise<ProgramResult> {
  const next = last.then(() => order({ words, env, input }));
  last = next.catch(() => undefined);
  return next;
}

function order(given: CommandRequest): Promise<ProgramResult> {
  const child = host?.connected ? host : startHost();
  host = child;
  return new Promise((resolve, reject) => {
    const fail = () => reject(new Error(`its process ended: ${given.words.join(' ')}`));
    child.once('exit', fail).once('message', (ended) => {
      child.off('exit', fail);
      resolve(ended as ProgramResult);
    });
    child.send(given);
  });
}

/** It ends with this process, and keeps it from nothing. */
function startHost(): ChildProcess {
  const child = fork(join(import.meta.dirname, 'onward-host.ts'), { cwd: root, env: {}, execArgv: [] });
  child.unref();
  child.channel?.unref();
  return child;
}
