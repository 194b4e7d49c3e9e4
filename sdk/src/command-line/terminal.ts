import type { Onward } from '../index.ts';

/** What a command gets: a client, its words, and its options. */
export type Command = (
  onward: Onward,
  words: readonly string[],
  options: Readonly<Record<string, string | undefined>>,
) => Promise<void>;

/** Something is wrong with how the command was called. */
export class UsageError extends Error {}

/** For the person at the terminal; what a command is for goes to standard output. */
export function say(text: string): void {
  process.stderr.write(text.endsWith('\n') ? text : `${text}\n`);
}

export function print(value: unknown): void {
  process.stdout.write(`${typeof value === 'string' ? value : JSON.stringify(value, null, 2)}\n`);
}

/** Ends quietly when nobody reads on, as after `| head -1`. */
export function endWithReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
}

/** Is aborted when the person stops the command. */
export function untilStopped(): AbortSignal {
  const abort = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => abort.abort());
  return abort.signal;
}
