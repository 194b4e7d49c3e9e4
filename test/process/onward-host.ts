import { Readable } from 'node:stream';
import type { CommandRequest, ProgramResult } from './run-program.ts';

// A process that runs one command after the other, each as if it were alone. Starting a process for each command would
// mostly load the same modules again.

process.on('message', async ({ words, env, input }: CommandRequest) => {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  Object.defineProperty(process, 'stdin', { value: Readable.from([input]), configurable: true });
  const said = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const)
    process[stream].write = (text: string | Uint8Array) => {
      said[stream] += text;
      return true;
    };
  const { runCommandLine } = await import('../../src/cli/run-command-line.ts');
  const code = await runCommandLine(words);
  process.send!({ code, ...said } satisfies ProgramResult);
});
