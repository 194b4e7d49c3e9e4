import { Problem, unprocessable } from '../platform/problem/index.ts';

/** A Problem, so that the import it ends is listed as one that somebody ended, and not as a fault. */
export class Interrupted extends Problem {
  constructor() {
    super(unprocessable, 'It was stopped by hand. What was stored until then stays.');
  }
}

const interruption = new AbortController();
let isHeeding = false;

/** Aborted where the command is interrupted, for what may wait long without anything to say. */
export function interrupted(): AbortSignal {
  heedInterruptions();
  return interruption.signal;
}

/**
 * Says how far a long command is, on a terminal. From the first time on the command ends in order when it is interrupted
 * (Ctrl+C): what it has stored is written down as an import that was broken off, and nothing unfinished is left behind. A
 * second interruption ends it at once.
 * @throws Interrupted once it was interrupted, unless there is nothing more to say
 */
export function progress(line: string): void {
  heedInterruptions();
  if (line !== '') interruption.signal.throwIfAborted();
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${line}`);
}

function heedInterruptions(): void {
  if (isHeeding) return;
  isHeeding = true;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => interruption.abort(new Interrupted()));
  }
}
