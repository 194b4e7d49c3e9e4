import { Readable } from 'node:stream';
import type { Ended, Order } from './run-program.ts';

// A process that runs one command after the other, each as if it were alone: most of what a process of its own for each
// would do is to load the same modules again.

process.on('message', async ({ words, env, input }: Order) => {
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
  process.send!({ code, ...said } satisfies Ended);
});
