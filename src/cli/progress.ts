import { Problem, unprocessable } from '../platform/problem/index.ts';

/** Thrown after Ctrl+C. It is a Problem, so that the import is listed as stopped by somebody and not as failed. */
export class Interrupted extends Problem {
  constructor() {
    super(unprocessable, 'It was stopped by hand. What was stored until then stays.');
  }
}

// There is one for the process, because signals are for the whole process.
const interruption = new AbortController();
let isListening = false;

/** A signal that is aborted when the command is interrupted, for work that may wait long without progress. */
export function interruptionSignal(): AbortSignal {
  listenForInterruptions();
  return interruption.signal;
}

/**
 * Shows the progress of a long command on a terminal. From the first call on, an interruption (Ctrl+C) ends the command in
 * order: what it has stored is recorded as an import that was stopped. A second interruption ends it at once.
 * @throws Interrupted after an interruption
 */
export function showProgress(line: string): void {
  listenForInterruptions();
  interruption.signal.throwIfAborted();
  writeLine(line);
}

/** Removes the line of progress, before the result is printed. */
export const clearProgress = () => writeLine('');

function writeLine(line: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${line}`);
}

function listenForInterruptions(): void {
  if (isListening) return;
  isListening = true;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => interruption.abort(new Interrupted()));
  }
}
